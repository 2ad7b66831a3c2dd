"""How runs stand at one moment, and their new batches: plain reads, no waiting."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from django.utils import timezone

from .models import Run, RunEvent, Status, Worker

Batches = list[tuple[int, str]]
AT_ONCE = 200
"""Batches in one read; more follow in the next."""


@dataclass(frozen=True, slots=True)
class State:
    """What `event: state` says."""

    status: str
    place: int | None
    watchers: int
    """In this web process."""
    worker: bool

    @property
    def is_over(self) -> bool:
        return self.status in Status.over()

    def to_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Look:
    status: str
    place: int | None
    worker: bool
    last_seq: int
    batches: Batches


def look(seen: Mapping[UUID, int]) -> dict[UUID, Look]:
    """Each run with its batches after `seen`; a run that is gone is left out.

    Statuses are read before batches: with a status that is over, all batches are there.
    """
    now = timezone.now()
    Run.objects.interrupt_dead(now)
    worker = Worker.objects.alive(now).exists()
    return {
        run.pk: Look(
            run.status,
            run.place(),
            worker,
            run.last_seq,
            batches(run.pk, seen[run.pk]) if run.last_seq > seen[run.pk] else [],
        )
        for run in list(Run.objects.filter(pk__in=list(seen)).defer("report", "spec"))
    }


def batches(run_id: UUID, after: int) -> Batches:
    return RunEvent.objects.batches(run_id, after, AT_ONCE)
