"""What somebody typed before the answer was shown; kept beside it."""

from datetime import datetime

from django.conf import settings
from django.db import models

from interview.web.keys import uuid7
from interview.web.lines import plain_lines

from .session import SessionStep

LONGEST = 10_000


def as_kept(text: str) -> str:
    """What is stored of it, and what another text is compared with."""
    return plain_lines(text).replace("\0", "").strip()[:LONGEST]


class Attempts(models.QuerySet["Attempt"]):
    def keep(self, step: SessionStep, rung_id: str, text: str, now: datetime) -> None:
        """What was typed for the step's question or rung, instead of what was before.

        An empty text keeps nothing and takes nothing away.
        """
        kept = as_kept(text)
        if not kept:
            return
        self.update_or_create(
            step=step,
            rung_id=rung_id,
            defaults={
                "user": step.session.user,
                "card_id": step.card_id,
                "text": kept,
                "at": now,
            },
        )

    def holds(self, step: SessionStep, rung_id: str, text: str) -> bool:
        """Whether this is what is kept there; of an empty text nothing is missing."""
        sought = as_kept(text)
        return (
            not sought or self.filter(step=step, rung_id=rung_id, text=sought).exists()
        )


class Attempt(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts"
    )
    step = models.ForeignKey(
        SessionStep, null=True, on_delete=models.SET_NULL, related_name="attempts"
    )
    card_id = models.CharField(max_length=100)
    rung_id = models.CharField(max_length=100, blank=True)
    """Blank: of the question."""
    text = models.TextField(max_length=LONGEST)
    at = models.DateTimeField()

    objects = Attempts.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["step", "rung_id"], name="one_attempt_per_step_and_rung"
            )
        ]
        indexes = [
            models.Index(fields=["user", "card_id", "-at"]),
            # Search reads them newest first and stops early.
            models.Index(fields=["user", "-at"]),
        ]

    def __str__(self) -> str:
        return f"{self.card_id} {self.rung_id}"
