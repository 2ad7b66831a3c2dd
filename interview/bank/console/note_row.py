"""Notes as the console shows them: what is saved, and what was refused."""

from dataclasses import dataclass
from typing import Self
from uuid import UUID

from interview.web.clock import clock_text
from interview.web.keys import uuid7

from ..models import Note, Score
from .keeping import Refused, RefusedNote


@dataclass(frozen=True, slots=True)
class NoteRow:
    key: UUID
    text: str
    rung_id: str
    revision: int
    at: str
    """`12:05` since the interview began; "" of a note that is not written yet."""
    refused: RefusedNote | None = None

    @classmethod
    def of(cls, note: Note) -> Self:
        at = clock_text(note.at_s)
        return cls(note.pk, note.text, note.rung_id, note.revision, at)

    @classmethod
    def again(cls, refused: RefusedNote) -> Self:
        """As it was sent; saving it once more replaces what is saved."""
        sent, saved = refused.sent, refused.saved
        revision = saved.revision if saved else sent.revision
        at = clock_text(saved.at_s) if saved else ""
        return cls(sent.key, sent.text, sent.rung_id, revision, at, refused)

    @classmethod
    def blank(cls, rung_id: str) -> Self:
        """To write the next one into."""
        return cls(uuid7(), "", rung_id, 0, "")


def note_rows(score: Score, refused: Refused) -> list[NoteRow]:
    """What is saved, in the order of the interview, and what was refused in its
    place."""
    again = {note.sent.key: NoteRow.again(note) for note in refused.notes}
    saved = [NoteRow.of(note) for note in score.notes.all()]
    rows = [again.pop(row.key, row) for row in saved if row.text or row.key in again]
    return rows + list(again.values())
