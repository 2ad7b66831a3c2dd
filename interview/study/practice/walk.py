"""The stages of one step: what is shown one after the other, as far as grades lead.

Knows no Django: a card, the grades of this step, and the rungs that are not due.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from interview.cards.card import Card
from interview.recall.grade import Grade

from ..stage import DONE, FLAWS, FULL, QUESTION, SHORT, answered, asked, rung_of


def graded_at(stage: str) -> str | None:
    """What is graded at a stage: "" the question, a rung's id, None nothing."""
    if stage in (SHORT, FULL):
        return ""
    return rung_of(stage) if stage.startswith("answer:") else None


def is_before_answer(stage: str) -> bool:
    """Somebody answers aloud there, and nothing of the answer is shown."""
    return stage == QUESTION or stage.startswith("rung:")


def in_order(card: Card) -> list[str]:
    """Every stage that a step of the card can have, the later ones last."""
    ladder = [
        stage
        for rung in card.follow_ups
        for stage in (asked(rung.id), answered(rung.id))
    ]
    return [QUESTION, SHORT, FULL, *ladder, FLAWS, DONE]


@dataclass(frozen=True, slots=True)
class Walk:
    stages: tuple[str, ...]
    """Those that are open by now or will be next; an ungraded one is the last."""
    known: tuple[str, ...]
    """Rungs that are passed over, since they are not due."""
    is_over: bool
    """All that this step asks is graded."""

    def after(self, stage: str) -> str | None:
        """What is revealed next; None where a grade must come first, or nothing does.

        Who graded the short answer need not open the full one.
        """
        rest = self.stages[self.stages.index(stage) + 1 :]
        if stage == SHORT and self.stages[-1] != FULL:
            rest = tuple(other for other in rest if other != FULL)
        return next(iter(rest), None)

    def furthest(self, card: Card, reached: str) -> str:
        """The last stage that is not beyond the one that was `reached`."""
        order = in_order(card)
        most = order.index(reached) if reached in order else 0
        found = [stage for stage in self.stages if order.index(stage) <= most]
        return found[-1] if found else self.stages[0]


def walk(
    card: Card,
    first: str,
    grades: Mapping[str, Grade],
    known: Mapping[str, str],
    top: str = "",
) -> Walk:
    """The walk of a step that begins at the rung `first`, or at the question: "".

    `grades` are those given in this step; `known` has the last grade of each rung that
    is in the schedule and not due. A rung that was not solid ends the climb, and so
    does the goal's level `top`; "" climbs all the way.
    """
    stages = [] if first else [QUESTION, SHORT, FULL]
    passed: list[str] = []
    if not first and "" not in grades:
        return Walk(tuple(stages), (), is_over=False)
    climbs = bool(first) or grades[""] is Grade.SOLID
    for rung_id in ids_from(card, first, top) if climbs else []:
        if rung_id not in grades and rung_id in known:
            passed.append(rung_id)
            solid = known[rung_id] == Grade.SOLID
        else:
            stages += [asked(rung_id), answered(rung_id)]
            if rung_id not in grades:
                return Walk(tuple(stages), tuple(passed), is_over=False)
            solid = grades[rung_id] is Grade.SOLID
        if not solid:
            break
    if not first:
        stages += [FLAWS, DONE]
    return Walk(tuple(stages), tuple(passed), is_over=True)


def ids_from(card: Card, first: str, top: str) -> list[str]:
    """Rungs in file order, from `first` on; all of them for ""."""
    ids = [
        rung.id
        for rung in card.follow_ups
        if not top or rung.level <= top or rung.id == first
    ]
    return ids[ids.index(first) :] if first else ids
