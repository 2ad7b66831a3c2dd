"""Saves what the console's form sent, each part on its own: one that is refused leaves
the others saved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from ..errors import BankError, Changed, Frozen
from ..models import Note
from .desk import Desk
from .sent import SentMarks, SentNote


def status_of(reasons: Iterable[BankError]) -> int:
    """409 when it did not fit what is saved, 422 when it could never be saved."""
    late = all(isinstance(why, Changed | Frozen) for why in reasons)
    return 409 if late else 422


@dataclass(frozen=True, slots=True)
class RefusedMarks:
    sent: SentMarks
    why: BankError


@dataclass(frozen=True, slots=True)
class RefusedNote:
    sent: SentNote
    why: BankError

    @property
    def status(self) -> int:
        return status_of([self.why])

    @property
    def saved(self) -> Note | None:
        """How it stands by now, when somebody else changed it."""
        now = self.why.now if isinstance(self.why, Changed) else None
        return now if isinstance(now, Note) else None


@dataclass(frozen=True, slots=True)
class Refused:
    """Empty, and so false, when all is saved."""

    marks: RefusedMarks | None = None
    notes: Sequence[RefusedNote] = ()

    def __bool__(self) -> bool:
        return bool(self.marks or self.notes)

    @property
    def reasons(self) -> list[BankError]:
        marks = [self.marks.why] if self.marks else []
        return marks + [note.why for note in self.notes]

    @property
    def status(self) -> int:
        return status_of(self.reasons)


def keep(desk: Desk, post: QueryDict, now: datetime) -> Refused:
    marks = keep_marks(desk, SentMarks.of(post, desk.rungs), now)
    notes = [keep_note(desk, sent, now) for sent in SentNote.all_of(post)]
    return Refused(marks, [note for note in notes if note])


def keep_marks(desk: Desk, sent: SentMarks, now: datetime) -> RefusedMarks | None:
    try:
        desk.score.mark(desk.rungs, desk.wrong_ids, sent, now)
    except BankError as why:
        return RefusedMarks(sent, why)
    return None


def keep_note(desk: Desk, sent: SentNote, now: datetime) -> RefusedNote | None:
    """A note that nobody began is none. The second that the browser counted can't lie
    ahead of the server's clock."""
    if not sent.text and not sent.revision:
        return None
    elapsed_s = desk.interview.elapsed_s(now)
    at_s = elapsed_s if sent.at_s is None else min(sent.at_s, elapsed_s)
    rung_id = sent.rung_id if sent.rung_id in desk.question.rungs_named else ""
    try:
        Note.objects.write(
            desk.score,
            sent.key,
            sent.text,
            rung_id=rung_id,
            at_s=at_s,
            revision=sent.revision,
            now=now,
        )
    except BankError as why:
        return RefusedNote(sent, why)
    return None
