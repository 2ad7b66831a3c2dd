"""A run of the lab as evidence to a question."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models, transaction

from interview.lab.models import Run
from interview.web.keys import uuid7

from ..errors import BankError
from .asked import Asked
from .audit import AuditEntry, Verb
from .interview import Interview

if TYPE_CHECKING:
    from interview.accounts.models import User

CLAIM_LENGTH = 500


class EvidenceSet(models.QuerySet["Evidence"]):
    @transaction.atomic
    def attach(
        self, asked: Asked, run: Run, claim: str, by: "User", now: datetime
    ) -> "Evidence":
        """A run is attached to a question once; a second time changes nothing.

        BankError while the run is under way, and for too long a claim; Frozen when the
        interview is anonymised.
        """
        asked.interview.hold()
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

    def show(self) -> None:
        """To the candidate; BankError while another question than its own is asked."""
        self.interview.show(self)

    def hide(self) -> None:
        self.interview.hide(self)

    @transaction.atomic
    def remove(self) -> None:
        """The run itself stays its owner's."""
        self.hide()
        self.delete()
