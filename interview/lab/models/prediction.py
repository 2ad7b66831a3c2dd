"""What a person said before the run; it never changes once it is locked."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models, transaction

from interview.accounts.models import User
from interview.web.keys import uuid7

from ..errors import PredictionLocked
from .run import Run
from .runs import Status


class Metric(models.TextChoices):
    TTFT = "ttft_ms", "TTFT"
    TPOT = "tpot_ms", "TPOT"
    RATE = "output_tokens_per_s", "Output tok/s"


class PredictionQuerySet(models.QuerySet["Prediction"]):
    @transaction.atomic
    def lock(
        self, run: Run, person: User, values: Mapping[str, float], now: datetime
    ) -> list["Prediction"]:
        """Lock `values` (metric -> value) for a run that has not started yet."""
        status = Run.objects.select_for_update().values_list("status").get(pk=run.pk)[0]
        if status != Status.QUEUED:
            raise PredictionLocked("This run has started: it is too late to predict.")
        return [
            self.create(run=run, person=person, metric=m, value=v, locked_at=now)
            for m, v in values.items()
        ]

    def update(self, **changes: Any) -> int:
        raise PredictionLocked("A locked prediction does not change.")


class Prediction(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="predictions")
    metric = models.CharField(max_length=30, choices=Metric)
    value = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    locked_at = models.DateTimeField()

    objects = PredictionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "person", "metric"], name="one_prediction_per_metric"
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.value:g}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise PredictionLocked("A locked prediction does not change.")
        super().save(*args, **kwargs)
