"""A scorecard: what one interviewer marked in one interview, sealed until it is in.

draft -> ready (all is marked) -> submitted (locked) -> revised, with a reason and both
values kept.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction

from interview.rating.rating import Mark, Rated, Rung, is_marked, rated
from interview.web.keys import uuid7

from ..errors import BankError, Changed, Frozen
from .audit import AuditEntry, Verb
from .interview import Asked, Interview

if TYPE_CHECKING:
    from interview.accounts.models import User

NOTE_LENGTH = 5_000
SUMMARY_LENGTH = 5_000
REASON_LENGTH = 500
NOTE_TOO_LONG = f"A note has at most {NOTE_LENGTH:,} characters."
LOCKED = "This scorecard is submitted. A change needs a reason: revise it."
SCORE_CHANGED = (
    "This question was saved in another tab or on another device since this page "
    "showed it. What is saved is shown; what you sent stands below it, not saved."
)
SUMMARY_CHANGED = (
    "The summary was saved in another tab or on another device since this page showed "
    "it. What is saved is shown; what you sent stands below it, not saved."
)
NOT_ALL_MARKED = "Question {} is not marked yet: mark each follow-up, or “not asked”."


class State(models.TextChoices):
    DRAFT = "draft"
    SUBMITTED = "submitted"
    REVISED = "revised"
    """Submitted, and changed with a reason since."""


class Scorecards(models.QuerySet["Scorecard"]):
    @transaction.atomic
    def of(self, interview: Interview, person: "User", now: datetime) -> "Scorecard":
        """One's own, made at first need with a row for each question."""
        card, made = self.get_or_create(
            interview=interview, interviewer=person, defaults={"made_at": now}
        )
        if made:
            Score.objects.bulk_create(
                Score(scorecard=card, asked=each, card_id=each.card_id)
                for each in interview.in_order()
            )
        return card

    def in_(self) -> Self:
        """Those that were submitted."""
        return self.filter(submitted_at__isnull=False)

    def open_to(self, person: "User", interview: Interview) -> Self:
        """Scorecards of an interview whose scores, notes and totals `person` may read.

        One's own always. A panel member reads the others' submitted ones as soon as
        one's own is submitted; who is not on the panel (who set the interview up, an
        owner of the installation) when all of the panel are in.
        """
        here = self.filter(interview=interview)
        own = here.filter(interviewer=person)
        if not person.may_interview:
            return self.none()
        on_panel = interview.panel.filter(user=person).exists()
        if on_panel:
            is_in = own.in_().exists()
        else:
            submitted = here.in_().values("interviewer")
            is_in = not interview.panel.exclude(user__in=submitted).exists()
        return here.in_() | own if is_in else own


class Scorecard(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    interview = models.ForeignKey(
        Interview, on_delete=models.CASCADE, related_name="scorecards"
    )
    interviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="scorecards"
    )
    made_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    summary = models.TextField(max_length=SUMMARY_LENGTH, blank=True)
    """What the interviewer concludes, in their words; possible when all is marked."""
    summary_revision = models.PositiveIntegerField(default=0)

    objects = Scorecards.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["interview", "interviewer"],
                name="one_scorecard_per_interviewer",
            )
        ]

    def __str__(self) -> str:
        return f"{self.interviewer} on {self.interview}"

    @property
    def is_in(self) -> bool:
        return self.submitted_at is not None

    def in_order(self) -> "models.QuerySet[Score]":
        scores = self.scores.select_related("asked__question")
        return scores.order_by("asked__question__position")

    @transaction.atomic
    def write_summary(self, text: str, revision: int) -> None:
        """Changed when it is another by now, Frozen when the scorecard is submitted;
        the same text is saved once."""
        held = self._held()
        if held.summary != text:
            Interview.objects.refuse_anonymised(held.interview_id)
            if held.is_in:
                raise Frozen(LOCKED)
            if held.summary_revision != revision:
                raise Changed(SUMMARY_CHANGED, held)
            held.summary, held.summary_revision = text, revision + 1
            held.save(update_fields=["summary", "summary_revision"])
        self.refresh_from_db()

    @transaction.atomic
    def submit(
        self,
        rungs: "Mapping[int, Collection[Rung]]",
        now: datetime,
        summary: tuple[str, int] | None = None,
    ) -> None:
        """Lock it and open the others'. `rungs` by the id of each `Asked`; a `summary`
        with its revision is written first.

        BankError when a question that counts is not marked; a second time changes
        nothing.
        """
        if summary is not None:
            self.write_summary(*summary)
        held = self._held()
        if not held.is_in:
            for score in held.in_order():
                counts = score.asked.question.voided_at is None
                if counts and not score.is_settled(list(rungs[score.asked_id])):
                    position = score.asked.question.position
                    raise BankError(NOT_ALL_MARKED.format(position))
            held.submitted_at, held.state = now, State.SUBMITTED
            held.save(update_fields=["submitted_at", "state"])
            self._note(Verb.SUBMITTED, now)
        self.refresh_from_db()

    def _held(self) -> "Scorecard":
        return Scorecard.objects.select_for_update(no_key=True).get(pk=self.pk)

    def _note(self, verb: Verb, now: datetime) -> None:
        actor, where = self.interviewer_id, self.interview_id
        AuditEntry.objects.note(actor, verb, where, now, self.pk)


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
        *,
        marks: Mapping[str, Mark],
        hinted: Collection[str],
        said: Collection[str],
        not_asked: bool,
        revision: int,
        now: datetime,
    ) -> None:
        """Save all marks of the question at once.

        Frozen when the scorecard is submitted, Changed when somebody saved others
        since `revision`; the same marks sent twice are saved once. Ids that the
        question does not have are left out.
        """
        card = Scorecard.objects.select_for_update(no_key=True).get(
            pk=self.scorecard_id
        )
        if card.is_in:
            raise Frozen(LOCKED)
        self._write(
            rungs,
            wrong_ids,
            marks=marks,
            hinted=hinted,
            said=said,
            not_asked=not_asked,
            revision=revision,
            now=now,
        )

    @transaction.atomic
    def revise(
        self,
        rungs: Collection[Rung],
        wrong_ids: Collection[str],
        *,
        reason: str,
        marks: Mapping[str, Mark],
        hinted: Collection[str],
        said: Collection[str],
        not_asked: bool,
        revision: int,
        now: datetime,
    ) -> "Revision | None":
        """Change a submitted question; what it was before is kept with the reason.

        None when nothing differs; BankError without a reason, before submission, and
        when not all would be marked. Frozen when the interview is anonymised.
        """
        card = Scorecard.objects.select_for_update(no_key=True).get(
            pk=self.scorecard_id
        )
        Interview.objects.refuse_anonymised(card.interview_id)
        if not card.is_in:
            raise BankError("Submit the scorecard first; a draft needs no reason.")
        if not reason.strip():
            raise BankError("Say why you change a rating that is in.")
        self.refresh_from_db()
        before = self.as_marked()
        changed = self._write(
            rungs,
            wrong_ids,
            marks=marks,
            hinted=hinted,
            said=said,
            not_asked=not_asked,
            revision=revision,
            now=now,
        )
        if not changed:
            return None
        if not self.is_settled(rungs):
            raise BankError(NOT_ALL_MARKED.format(self.asked.question.position))
        made = Revision.objects.create(
            score=self,
            reason=reason.strip(),
            before=before,
            after=self.as_marked(),
            at=now,
        )
        card.state = State.REVISED
        card.save(update_fields=["state"])
        card._note(Verb.REVISED, now)
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
        *,
        marks: Mapping[str, Mark],
        hinted: Collection[str],
        said: Collection[str],
        not_asked: bool,
        revision: int,
        now: datetime,
    ) -> bool:
        """Whether something is new. The scorecard's row is held.

        Without `rungs`, of a card that can't be read any more, only `not_asked`: no
        form shows what was marked before that, so it stays.
        """
        self.refresh_from_db()
        ids = [rung.id for rung in rungs]
        new: dict[str, Any] = {"not_asked": not_asked}
        if ids:
            new["marks"] = {
                each: str(Mark(marks[each])) for each in ids if each in marks
            }
            new["hinted"] = [each for each in ids if each in hinted]
            new["said"] = [each for each in wrong_ids if each in said]
        if all(getattr(self, field) == value for field, value in new.items()):
            return False
        if self.revision != revision:
            raise Changed(SCORE_CHANGED, self)
        for field, value in new.items():
            setattr(self, field, value)
        if ids or not_asked:
            self.rating = None if not_asked else self.rated(rungs).rating
        self.revision, self.saved_at = revision + 1, now
        self.save()
        return True


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
        card = Scorecard.objects.select_for_update(no_key=True).get(
            pk=score.scorecard_id
        )
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


class Revision(models.Model):
    """A change after submission: both values, and why."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    score = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="revisions")
    reason = models.CharField(max_length=REASON_LENGTH)
    before = models.JSONField()
    after = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.reason
