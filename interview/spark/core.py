"""The engine core on a virtual clock: schedule, run, process, with steps in flight.

Pure: it is told the time and says when it next has something to do.
"""

from collections import deque
from dataclasses import dataclass, field

from .request import Request
from .roofline import Roofline
from .scheduler import Output, Scheduler, Share

STEPS_IN_FLIGHT = 2
"""Async scheduling keeps two batches in flight [V:SCH-21]."""

SCHEDULE_S = 2e-3
PROCESS_S = 2e-3
"""Host work per step, hidden behind the GPU with two steps in flight [C:CAL]."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step that the GPU runs or will run."""

    shares: list[Share]
    ends_at: float


@dataclass(slots=True, eq=False)
class EngineCore:
    """Scheduler and GPU. Fills the flight before it waits for a result."""

    scheduler: Scheduler
    roofline: Roofline
    depth: int = STEPS_IN_FLIGHT
    steps: int = 0
    flight: deque[Step] = field(default_factory=deque)
    _gpu_free_at: float = 0.0
    _host_free_at: float = 0.0
    _waits_for_result: bool = False
    """The host found nothing to schedule and now blocks on the oldest step."""

    def add(self, request: Request, now: float) -> None:
        self.scheduler.add(request, now)
        if not self.flight:
            self._waits_for_result = False
            self._host_free_at = max(self._host_free_at, now)

    def next_at(self) -> float | None:
        """When `run` is due; None while there is nothing to do."""
        if self._can_schedule():
            return self._host_free_at
        if self.flight:
            return max(self._host_free_at, self.flight[0].ends_at)
        return None

    def run(self) -> list[Output]:
        """Do what is due: schedule one step, or take the result of the oldest."""
        at = self.next_at()
        if at is None:
            return []
        self._host_free_at = at
        if self._can_schedule():
            self._schedule(at)
            return []
        step = self.flight.popleft()
        self._waits_for_result = False
        outputs = self.scheduler.update(step.shares, at)
        if self.depth == 1:
            self._host_free_at += PROCESS_S
        return outputs

    def _can_schedule(self) -> bool:
        room = len(self.flight) < self.depth
        return room and self.scheduler.busy and not self._waits_for_result

    def _schedule(self, at: float) -> None:
        shares = self.scheduler.schedule(at)
        if not shares:
            self._waits_for_result = True
            return
        launched_at = at if self.depth > 1 else at + SCHEDULE_S
        starts_at = max(launched_at, self._gpu_free_at)
        took = self.roofline.step_seconds([share.chunk for share in shares])
        self._gpu_free_at = starts_at + took
        self._host_free_at = at + SCHEDULE_S
        self.flight.append(Step(shares, self._gpu_free_at))
        self.steps += 1
