"""What one interviewer marked at one question."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import models, transaction

from interview.rating.rating import Mark, Rated, Rung, is_marked, rated
from interview.web.keys import uuid7

from ..errors import BankError, Changed, Frozen
from .asked import Asked
from .audit import Verb
from .interview import Interview
from .scorecard import LOCKED, NOT_ALL_MARKED, Scorecard, State

if TYPE_CHECKING:
    from .revision import Revision

SCORE_CHANGED = (
    "This question was saved in another tab or on another device since this page "
    "showed it. What is saved is shown; what you sent stands below it, not saved."
)


@dataclass(frozen=True, slots=True)
class Marking:
    """What somebody says of a question, all at once."""

    marks: Mapping[str, Mark]
    """By follow-up id; so is `hinted`, and `said` by the id of a wrong answer."""
    hinted: Collection[str]
    said: Collection[str]
    not_asked: bool
    revision: int
    """What was saved when they said it; other marks since then are not replaced."""


class Score(models.Model):
    """One question on one scorecard. `revision` grows with each save of its marks."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    scorecard = models.ForeignKey(
        Scorecard, on_delete=models.CASCADE, related_name="scores"
    )
    asked = models.ForeignKey(Asked, on_delete=models.CASCADE, related_name="scores")
    card_id = models.CharField(max_length=100)
    """Of the question, for the statistics of the bank."""
    marks = models.JSONField(default=dict)
    """By follow-up id: "met", "not-met" or "not-asked"; what is not marked is left
    out."""
    hinted = models.JSONField(default=list)
    """Ids of follow-ups at which a hint was given."""
    said = models.JSONField(default=list)
    """Ids of wrong answers that were heard."""
    not_asked = models.BooleanField(default=False)
    """The whole question."""
    rating = models.PositiveSmallIntegerField(null=True)
    """As `marks` and `hinted` give it; 0 is below L1, None not rated or not asked."""
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scorecard", "asked"], name="one_score_per_question"
            )
        ]
        indexes = [models.Index(fields=["card_id", "rating"], name="score_by_card")]

    def __str__(self) -> str:
        return f"{self.card_id}: {self.rating}"

    def marked(self) -> dict[str, Mark]:
        return {rung: Mark(mark) for rung, mark in self.marks.items()}

    def rated(self, rungs: Collection[Rung]) -> Rated:
        return rated(list(rungs), self.marked(), self.hinted)

    def is_settled(self, rungs: Collection[Rung]) -> bool:
        """Rated, or not asked."""
        return self.not_asked or is_marked(list(rungs), self.marked())

    @transaction.atomic
    def mark(
        self,
        rungs: Collection[Rung],
        wrong_ids: Collection[str],
        marking: Marking,
        now: datetime,
    ) -> None:
        """Save all marks of the question at once.

        Frozen when the scorecard is submitted, Changed when somebody saved others
        since; the same marks sent twice are saved once. Ids that the
        question does not have are left out.
        """
        card = Scorecard.objects.hold(self.scorecard_id)
        if card.is_in:
            raise Frozen(LOCKED)
        self._write(rungs, wrong_ids, marking, now)

    @transaction.atomic
    def revise(
        self,
        rungs: Collection[Rung],
        wrong_ids: Collection[str],
        marking: Marking,
        reason: str,
        now: datetime,
    ) -> "Revision | None":
        """Change a submitted question; what it was before is kept with the reason.

        None when nothing differs; BankError without a reason, before submission, and
        when not all would be marked. Frozen when the interview is anonymised.
        """
        card = Scorecard.objects.hold(self.scorecard_id)
        Interview.objects.refuse_anonymised(card.interview_id)
        if not card.is_in:
            raise BankError("Submit the scorecard first; a draft needs no reason.")
        if not reason.strip():
            raise BankError("Say why you change a rating that is in.")
        self.refresh_from_db()
        before = self.as_marked()
        changed = self._write(rungs, wrong_ids, marking, now)
        if not changed:
            return None
        if not self.is_settled(rungs):
            raise BankError(NOT_ALL_MARKED.format(self.asked.question.position))
        made = self.revisions.create(
            reason=reason.strip(),
            before=before,
            after=self.as_marked(),
            at=now,
        )
        card.state = State.REVISED
        card.save(update_fields=["state"])
        card.note(Verb.REVISED, now)
        return made

    def as_marked(self) -> dict[str, Any]:
        """What a revision keeps, as JSON."""
        return {
            "marks": self.marks,
            "hinted": self.hinted,
            "said": self.said,
            "not_asked": self.not_asked,
            "rating": self.rating,
        }

    def _write(
        self,
        rungs: Collection[Rung],
        wrong_ids: Collection[str],
        marking: Marking,
        now: datetime,
    ) -> bool:
        """Whether something is new. The scorecard's row is held.

        Without `rungs`, of a card that can't be read any more, only `not_asked`: no
        form shows what was marked before that, so it stays.
        """
        self.refresh_from_db()
        ids = [rung.id for rung in rungs]
        new: dict[str, Any] = {"not_asked": marking.not_asked}
        if ids:
            marks = marking.marks
            new["marks"] = {one: str(Mark(marks[one])) for one in ids if one in marks}
            new["hinted"] = [each for each in ids if each in marking.hinted]
            new["said"] = [each for each in wrong_ids if each in marking.said]
        if all(getattr(self, field) == value for field, value in new.items()):
            return False
        if self.revision != marking.revision:
            raise Changed(SCORE_CHANGED, self)
        for field, value in new.items():
            setattr(self, field, value)
        if ids or self.not_asked:
            self.rating = None if self.not_asked else self.rated(rungs).rating
        self.revision, self.saved_at = marking.revision + 1, now
        self.save()
        return True
