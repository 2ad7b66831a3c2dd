"""How runs stand at one moment, and their new batches: plain reads, no waiting."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from django.utils import timezone

from ..models import Run, RunEvent, Status, Worker
from .turns import Turn

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
    wait_s: int | None = None
    """About so long until it starts; None when it does not wait, or nobody knows."""
    waits: str = ""
    """Place and wait in words."""

    @property
    def is_over(self) -> bool:
        return self.status in Status.over()

    def to_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Look:
    state: State
    """Of no watchers."""
    last_seq: int
    batches: Batches


def look(seen: Mapping[UUID, int]) -> dict[UUID, Look]:
    """Each run with its batches after `seen`; a run that is gone is left out.

    Statuses are read before batches: with a status that is over, all batches are there.
    """
    now = timezone.now()
    Run.objects.interrupt_dead(now)
    worker = Worker.objects.alive(now).exists()
    runs = list(Run.objects.filter(pk__in=list(seen)).defer("report", "spec"))
    # One look at the queue serves all who watch a run that waits.
    waits = any(run.status == Status.QUEUED for run in runs)
    turns = {turn.run: turn for turn in Run.objects.line(now)} if waits else {}
    return {
        run.pk: Look(
            state_of(run, turns.get(run.pk), worker=worker),
            run.last_seq,
            batches(run.pk, seen[run.pk]) if run.last_seq > seen[run.pk] else [],
        )
        for run in runs
    }


def state_of(run: Run, turn: Turn | None, *, worker: bool) -> State:
    """Without a worker nobody can say how long it waits."""
    if turn is None or run.status != Status.QUEUED:
        return State(run.status, None, 0, worker)
    wait_s, words = (turn.about_s, turn.words) if worker else (None, turn.place_words)
    return State(run.status, turn.place, 0, worker, wait_s, words)


def batches(run_id: UUID, after: int) -> Batches:
    return RunEvent.objects.batches(run_id, after, AT_ONCE)
