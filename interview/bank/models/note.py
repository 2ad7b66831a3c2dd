"""Notes of one interviewer to one question."""

from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from interview.web.keys import uuid7

from ..errors import BankError, Changed, Frozen
from .interview import Interview
from .score import SCORE_CHANGED, Score
from .scorecard import LOCKED, Scorecard

NOTE_LENGTH = 5_000
NOTE_TOO_LONG = f"A note has at most {NOTE_LENGTH:,} characters."


class Notes(models.QuerySet["Note"]):
    @transaction.atomic
    def write(
        self,
        score: Score,
        key: UUID,
        text: str,
        *,
        rung_id: str,
        at_s: int,
        revision: int,
        now: datetime,
    ) -> "Note":
        """Save the note of that `key`, which the browser made; "" leaves it empty.

        Frozen when the scorecard is submitted or the interview anonymised. Changed
        when another text was saved since `revision`; the same text sent twice is saved
        once. A key of another score is nobody's, and a text has its length: BankError.
        """
        if len(text) > NOTE_LENGTH:
            raise BankError(NOTE_TOO_LONG)
        card = Scorecard.objects.hold(score.scorecard_id)
        Interview.objects.refuse_anonymised(card.interview_id)
        note = self.filter(pk=key).first()
        if note and note.score_id != score.pk:
            raise BankError("This note belongs to another question.")
        if note and (note.text, note.rung_id) == (text, rung_id):
            return note
        if card.is_in:
            raise Frozen(LOCKED)
        if note is None:
            return self.create(
                pk=key,
                score=score,
                rung_id=rung_id,
                text=text,
                at_s=at_s,
                revision=1,
                saved_at=now,
            )
        if note.revision != revision:
            raise Changed(SCORE_CHANGED, note)
        note.text, note.rung_id = text, rung_id
        note.revision, note.saved_at = revision + 1, now
        note.save(update_fields=["text", "rung_id", "revision", "saved_at"])
        return note


class Note(models.Model):
    """Evidence: what was said or done, in the interviewer's words."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    score = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="notes")
    rung_id = models.CharField(max_length=100, blank=True)
    """The follow-up that it is about; "" for the question."""
    at_s = models.PositiveIntegerField()
    """Seconds since the interview began, on the server's clock."""
    text = models.TextField(max_length=NOTE_LENGTH)
    revision = models.PositiveIntegerField()
    saved_at = models.DateTimeField()

    objects = Notes.as_manager()

    class Meta:
        ordering = ["at_s", "pk"]

    def __str__(self) -> str:
        return f"{self.at_s} s"
