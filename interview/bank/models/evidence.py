"""A run of the lab as evidence to a question."""

from django.conf import settings
from django.db import models

from interview.lab.models import Run
from interview.web.keys import uuid7

from .interview import Asked, Interview


class Evidence(models.Model):
    """The panel sees the run as soon as it is attached; the candidate only while it is
    shown beside the question, and then its prompt, prediction and numbers alone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    interview = models.ForeignKey(
        Interview, on_delete=models.CASCADE, related_name="evidence"
    )
    asked = models.ForeignKey(Asked, on_delete=models.CASCADE, related_name="evidence")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    claim = models.CharField(max_length=500, blank=True)
    """What the candidate said that the run shall show."""
    attached_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    attached_at = models.DateTimeField()

    class Meta:
        ordering = ["attached_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["asked", "run"], name="one_run_per_question"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} at {self.asked}"
