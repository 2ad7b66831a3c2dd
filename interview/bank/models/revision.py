"""What became of a mark after its scorecard was in."""

from django.db import models

from interview.web.keys import uuid7

from .score import Score

REASON_LENGTH = 500


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
