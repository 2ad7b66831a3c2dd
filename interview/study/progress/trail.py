"""The acts of one item, each with its attempt and the date that it led to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from interview.recall.grade import Grade
from interview.recall.memory import Memory, reviewed
from interview.web.numbers import MISSING, with_unit

from ..models import Act, Attempt
from ..models.act_kind import ActKind

type DueAfter = Mapping[UUID, datetime | None]
"""When an item was due after an act; None: not again before the interview."""

WORDS = {
    ActKind.KEEP: "kept: the card had changed",
    ActKind.RESET: "begun anew: the card had changed",
    ActKind.SKIP: "left for later",
    ActKind.SUSPEND: "suspended",
    ActKind.RESUME: "no longer suspended",
    ActKind.FLAG: "flagged",
    ActKind.UNFLAG: "flag taken away",
}
NEVER_GRADED = "not graded"


@dataclass(frozen=True, slots=True)
class Line:
    """One act, or an attempt that was never graded."""

    at: datetime
    word: str
    """What was done: a grade, or a few words."""
    act: Act | None = None
    attempt: Attempt | None = None
    next_at: datetime | None = None
    rests: bool = False
    """It was not due again before the interview."""

    @property
    def undone_at(self) -> datetime | None:
        undo = getattr(self.act, "undone_by", None)
        return undo.at if undo else None

    @property
    def took(self) -> str:
        """ "42 s", "3 min 5 s" """
        took_ms = self.act.took_ms if self.act else None
        if took_ms is None:
            return MISSING
        minutes, seconds = divmod(round(took_ms / 1000), 60)
        in_minutes = f"{with_unit(minutes, 0, 'min')} " if minutes else ""
        return f"{in_minutes}{with_unit(seconds, 0, 's')}"

    @property
    def is_soon(self) -> bool:
        """It came back on the same day."""
        return self.next_at is not None and (self.next_at - self.at).days < 1


def lines(name: str, acts: Sequence[Act], attempts: Iterable[Attempt]) -> list[Line]:
    """Newest first; `name` is the item's, `acts` are in order."""
    due = due_after(acts, name)
    written = {attempt.step_id or attempt.id: attempt for attempt in attempts}
    found = []
    for act in reversed(acts):
        graded_at = act.step_id if act.kind == ActKind.GRADE else None
        attempt = written.pop(graded_at, None) if graded_at else None
        found.append(line(act, due, attempt))
    found += [Line(left.at, NEVER_GRADED, attempt=left) for left in written.values()]
    return sorted(found, key=lambda each: each.at, reverse=True)


def line(act: Act, due: DueAfter, attempt: Attempt | None = None) -> Line:
    kind = ActKind(act.kind)
    return Line(
        at=act.at,
        word=Grade(act.grade).word if kind is ActKind.GRADE else WORDS[kind],
        act=act,
        attempt=attempt,
        next_at=due.get(act.id),
        rests=act.id in due and due[act.id] is None,
    )


def due_after(acts: Iterable[Act], name: str) -> DueAfter:
    """Of the standing grades, by replaying them."""
    memory: Memory | None = None
    found: dict[UUID, datetime | None] = {}
    for act in acts:
        if hasattr(act, "undone_by"):
            continue
        if act.kind == ActKind.RESET:
            memory = None
        elif act.kind == ActKind.GRADE:
            memory = reviewed(memory, Grade(act.grade), act.at, act.terms, name)
            found[act.id] = memory.due_at
    return found
