"""A scorecard: what one interviewer marked in one interview, sealed until it is in.

draft -> ready (all is marked) -> submitted (locked) -> revised, with a reason and both
values kept.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction

from interview.rating.rating import Rung
from interview.web.keys import uuid7

from ..errors import BankError, Changed, Frozen
from .audit import AuditEntry, Verb
from .interview import Interview

if TYPE_CHECKING:
    from interview.accounts.models import User

    from .score import Score

SUMMARY_LENGTH = 5_000
LOCKED = "This scorecard is submitted. A change needs a reason: revise it."
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
    def hold(self, scorecard_id: UUID) -> "Scorecard":
        """As it is now, until the transaction ends."""
        return self.select_for_update(no_key=True).get(pk=scorecard_id)

    @transaction.atomic
    def of(self, interview: Interview, person: "User", now: datetime) -> "Scorecard":
        """One's own, made at first need with a row for each question."""
        from .score import Score  # its table refers to this one

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
            self.note(Verb.SUBMITTED, now)
        self.refresh_from_db()

    def _held(self) -> "Scorecard":
        return Scorecard.objects.hold(self.pk)

    def note(self, verb: Verb, now: datetime) -> None:
        actor, where = self.interviewer_id, self.interview_id
        AuditEntry.objects.note(actor, verb, where, now, self.pk)
