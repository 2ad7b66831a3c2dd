"""The log of a run: batches of events, numbered, written once."""

from uuid import UUID

from django.db import models

from .run import Run


class RunEventQuerySet(models.QuerySet["RunEvent"]):
    def batches(self, run_id: UUID, after: int, limit: int) -> list[tuple[int, str]]:
        """Up to `limit` pairs (seq, JSON array text) with seq > `after`, in order."""
        rows = self.filter(run_id=run_id, seq__gt=after).order_by("seq")
        return list(rows.values_list("seq", "payload")[:limit])


class RunEvent(models.Model):
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    seq = models.PositiveIntegerField()
    payload = models.TextField()
    """The JSON text of an array of events, as they go to the browser."""

    objects = RunEventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "seq"], name="one_batch_per_seq")
        ]

    def __str__(self) -> str:
        return f"{self.run_id} #{self.seq}"
