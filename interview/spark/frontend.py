"""The API server's own time around the engine core, on the same virtual clock.

Pure: requests go in with a time, outputs come out with the time they are due.
"""

from collections import deque
from dataclasses import dataclass, field, replace

from .core import EngineCore
from .request import Request
from .scheduler import Output

INWARD_S = 5e-3
"""From the arrival of a request to its place in the queue: HTTP, template, tokens."""

TOKENIZE_S = 1.5e-3
"""The part of it that requests pass one after another."""

OUTWARD_S = 2e-3
"""From the end of a step to the client's event. All three are [C:CAL] set A."""


@dataclass(slots=True, eq=False)
class FrontEnd:
    """Delays on the way in and out; outputs are delivered in order."""

    core: EngineCore
    _inbox: deque[tuple[float, Request]] = field(default_factory=deque)
    _outbox: deque[tuple[float, Output]] = field(default_factory=deque)
    _tokenizer_free_at: float = 0.0

    def submit(self, request: Request, now: float) -> None:
        request.arrived_at = now
        begins_at = max(self._tokenizer_free_at, now + INWARD_S - TOKENIZE_S)
        self._tokenizer_free_at = begins_at + TOKENIZE_S
        self._inbox.append((self._tokenizer_free_at, request))

    def abort(self, request: Request) -> bool:
        """Forget a request wherever it is; False when it has ended already."""
        self._outbox = deque(o for o in self._outbox if o[1].request is not request)
        before = len(self._inbox)
        self._inbox = deque(i for i in self._inbox if i[1] is not request)
        return len(self._inbox) < before or self.core.scheduler.abort(request)

    def next_at(self) -> float | None:
        """When `advance` next has something to do; None while all is quiet."""
        return min(
            (at for at in (*self._work_at(), self._due_at()) if at is not None),
            default=None,
        )

    def advance(self, now: float) -> list[Output]:
        """Let everything happen that is due by `now`; what reaches clients."""
        while True:
            arrival, event = self._work_at()
            if event is not None and event <= now and not _before(arrival, event):
                self._run(event)
            elif arrival is not None and arrival <= now:
                self.core.add(self._inbox.popleft()[1], arrival)
            else:
                break
        delivered = []
        while self._outbox and self._outbox[0][0] <= now:
            delivered.append(self._outbox.popleft()[1])
        return delivered

    def _run(self, at: float) -> None:
        due = at + OUTWARD_S
        for output in self.core.run():
            self._outbox.append((due, replace(output, at=due)))

    def _work_at(self) -> tuple[float | None, float | None]:
        arrival = self._inbox[0][0] if self._inbox else None
        return arrival, self.core.next_at()

    def _due_at(self) -> float | None:
        return self._outbox[0][0] if self._outbox else None


def _before(arrival: float | None, event: float) -> bool:
    return arrival is not None and arrival < event
