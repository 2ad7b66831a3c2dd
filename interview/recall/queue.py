"""The order in which a day's steps are asked. Knows neither cards nor databases."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Wanted(NamedTuple):
    """One step that could be asked: a card, begun at its question or at a rung."""

    card_id: str
    rung_id: str = ""
    topic: str = ""
    needs: tuple[str, ...] = ()
    """Ids of cards that come before, where they are wanted as well."""
    overdue: float = 0.0
    """Days since the last review over stability: the higher, the nearer to being
    forgotten (recall falls with it and with nothing else)."""
    is_again: bool = False
    """It was missed a while ago, and its time has come."""


@dataclass(frozen=True, slots=True)
class Queue:
    steps: list[Wanted]
    """In asking order."""
    later: int
    """Due, and waiting for another day because of the cap."""
    new: int
    """Of the steps."""


def queue(
    due: Sequence[Wanted], unseen: Iterable[Wanted], room: int, new_room: int
) -> Queue:
    """What to ask now, `room` steps at most beside those that come again.

    What comes again was counted when it was first asked, so it waits for no room.
    `unseen` are cards never asked, best first; they fill what the due leave of `room`,
    and are not looked at when that is nothing.
    """
    ranked = sorted(due, key=lambda step: (-step.overdue, step.card_id, step.rung_id))
    again = [step for step in ranked if step.is_again]
    others = [step for step in ranked if not step.is_again]
    asked = others[: max(room, 0)]
    free = min(room - len(asked), new_room)
    new = interleaved(unseen, free) if free > 0 else []
    steps = interleaved(again) + interleaved(asked) + new
    return Queue(steps, later=len(others) - len(asked), new=len(new))


def interleaved(ranked: Iterable[Wanted], most: int | None = None) -> list[Wanted]:
    """The first ones of a ranking, so that no card comes before one that it needs and,
    where there is a choice, two of one topic do not follow each other."""
    left = {step.card_id: step for step in ranked}
    count = len(left) if most is None else min(max(most, 0), len(left))
    taken: list[Wanted] = []
    while len(taken) < count:
        before = taken[-1].topic if taken else None
        step = _next(left, before)
        taken.append(left.pop(step.card_id))
    return taken


def _next(left: dict[str, Wanted], topic_before: str | None) -> Wanted:
    first = None
    for step in _ready(left):
        if step.topic != topic_before:
            return step
        first = first or step
    # Cards that need each other in a circle: one of them has to begin.
    return first or next(iter(left.values()))


def _ready(left: dict[str, Wanted]) -> Iterator[Wanted]:
    for step in left.values():
        if not any(need in left and need != step.card_id for need in step.needs):
            yield step
