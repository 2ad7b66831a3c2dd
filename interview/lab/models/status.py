"""How a run stands, and of which kind it is."""

from django.db import models


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @classmethod
    def over(cls) -> frozenset["Status"]:
        return frozenset(cls) - {cls.QUEUED, cls.RUNNING}


class Kind(models.TextChoices):
    SINGLE = "single"
    """One request that is watched token by token."""
    LOAD = "load"
    GATHERING = "gathering"
    """Streams that the people of a room add one by one."""
    IMPORTED = "imported"
    """The result of another tool, to compare with."""
