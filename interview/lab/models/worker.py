"""A lab worker's sign of life, so that pages can say when none is there."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models

from interview.web.keys import uuid7

DEAD_AFTER = timedelta(seconds=10)


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self, now: datetime) -> Self:
        return self.filter(alive_at__gte=now - DEAD_AFTER)

    def forget_dead(self, now: datetime) -> None:
        self.filter(alive_at__lt=now - timedelta(days=1)).delete()


class Worker(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=200)
    started_at = models.DateTimeField()
    alive_at = models.DateTimeField()

    objects = WorkerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def beat(self, now: datetime) -> None:
        """Say that this worker lives; also after its row was cleared away."""
        self.alive_at = now
        self.save()

    def leave(self) -> None:
        """Say that this worker is gone, so that nobody waits ten seconds to see it."""
        Worker.objects.filter(pk=self.pk).delete()
