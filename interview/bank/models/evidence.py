"""A run of the lab as evidence to a question."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models, transaction

from interview.lab.models import Run
from interview.web.keys import uuid7

from ..errors import BankError
from .audit import AuditEntry, Verb
from .interview import Asked, Interview

if TYPE_CHECKING:
    from interview.accounts.models import User

CLAIM_LENGTH = 500
NOT_BEFORE_THEM = (
    "The candidate is shown a run beside its question alone: put that question first."
)


class EvidenceSet(models.QuerySet["Evidence"]):
    @transaction.atomic
    def attach(
        self, asked: Asked, run: Run, claim: str, by: "User", now: datetime
    ) -> "Evidence":
        """A run is attached to a question once; a second time changes nothing.

        BankError while the run is under way, and for too long a claim; Frozen when the
        interview is anonymised.
        """
        Interview.objects.select_for_update(no_key=True).get(pk=asked.interview_id)
        Interview.objects.refuse_anonymised(asked.interview_id)
        if len(claim) > CLAIM_LENGTH:
            raise BankError(f"A claim has at most {CLAIM_LENGTH} characters.")
        if not run.is_over:
            raise BankError("This run is not over yet: attach it when it is.")
        made, is_new = self.get_or_create(
            asked=asked,
            run=run,
            defaults={
                "interview_id": asked.interview_id,
                "claim": claim,
                "attached_by": by,
                "attached_at": now,
            },
        )
        if is_new:
            verb = Verb.ATTACHED
            AuditEntry.objects.note(by.pk, verb, asked.interview_id, now, run.pk)
        return made


class Evidence(models.Model):
    """The panel sees the run as soon as it is attached; the candidate only while it is
    shown beside the question, and then its prompt, prediction and numbers alone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    interview = models.ForeignKey(
        Interview, on_delete=models.CASCADE, related_name="evidence"
    )
    asked = models.ForeignKey(Asked, on_delete=models.CASCADE, related_name="evidence")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    claim = models.CharField(max_length=CLAIM_LENGTH, blank=True)
    """What the candidate said that the run shall show."""
    attached_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    attached_at = models.DateTimeField()

    objects = EvidenceSet.as_manager()

    class Meta:
        ordering = ["attached_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["asked", "run"], name="one_run_per_question"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} at {self.asked}"

    @transaction.atomic
    def show(self, *, is_shown: bool) -> None:
        """To the candidate, beside the question that is asked; or not any more."""
        interview = self.interview
        if is_shown and interview.asked_now_id != self.asked_id:
            raise BankError(NOT_BEFORE_THEM)
        if is_shown or interview.evidence_now_id == self.pk:
            interview.show(self if is_shown else None)

    @transaction.atomic
    def remove(self) -> None:
        """The run itself stays its owner's."""
        self.show(is_shown=False)
        self.delete()
