"""Drives the pure front end and core in real time, divided by a speed.

Wakes at the computed times of an absolute schedule, so a late wake delays one event
and never the next. Knows no HTTP and no text.
"""

import asyncio
import time
from collections.abc import AsyncIterator

from .frontend import FrontEnd
from .metrics import Metrics
from .request import Request
from .scheduler import Output

_TIMER_TICK_S = 1e-3
"""uvloop's timers count whole milliseconds; the rest is slept off exactly."""


class Feed:
    """The outputs of one request on their way to its client."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._ready: list[Output] = []
        self._ended = False
        self._wake = asyncio.Event()

    def put(self, output: Output) -> None:
        self._ready.append(output)
        self._ended = output.finish_reason is not None
        self._wake.set()

    def close(self) -> None:
        """No more outputs will come."""
        self._ended = True
        self._wake.set()

    def __aiter__(self) -> AsyncIterator[list[Output]]:
        return self

    async def __anext__(self) -> list[Output]:
        """All outputs that are ready, at least one."""
        while not self._ready:
            if self._ended:
                raise StopAsyncIteration
            await self._wake.wait()
            self._wake.clear()
        taken, self._ready = self._ready, []
        return taken


class Engine:
    """One simulated machine; `submit` from its event loop only."""

    def __init__(self, front: FrontEnd, metrics: Metrics, speed: float = 1.0) -> None:
        self.front = front
        self.metrics = metrics
        self.speed = speed
        self._started = time.monotonic()
        self._feeds: dict[Request, Feed] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def unfinished(self) -> int:
        """Requests that wait or run, as admission counts them [V:SCH-15]."""
        return len(self._feeds)

    def now(self) -> float:
        """Seconds of the simulated clock."""
        return (time.monotonic() - self._started) * self.speed

    def submit(self, request: Request, arrived_at: float) -> Feed:
        """Hand in a request that reached the server at `arrived_at`."""
        feed = self._feeds[request] = Feed(request)
        self.front.submit(request, arrived_at)
        self._tick()
        return feed

    def stop(self, request: Request) -> None:
        """End a request in good order, on a stop string."""
        if self._drop(request):
            self.metrics.stopped(request)

    def abort(self, request: Request) -> None:
        """End a request because its client is gone; no effect on an ended one."""
        if self._drop(request):
            self.metrics.forget(request)

    def _drop(self, request: Request) -> bool:
        feed = self._feeds.pop(request, None)
        if feed is None:
            return False
        feed.close()
        self.front.abort(request)
        self._arm()
        return True

    def close(self) -> None:
        """Abort everything; what was sent so far is all that clients get."""
        for request in list(self._feeds):
            self.abort(request)

    def _tick(self) -> None:
        due = self.front.next_at()
        ahead = 0.0 if due is None else (due - self.now()) / self.speed
        if 0 < ahead <= _TIMER_TICK_S:
            time.sleep(ahead)
        outputs = self.front.advance(self.now())
        self.metrics.observe(outputs)
        for output in outputs:
            self._deliver(output)
        self._arm()

    def _deliver(self, output: Output) -> None:
        feed = self._feeds[output.request]
        if output.finish_reason is not None:
            del self._feeds[output.request]
        feed.put(output)

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        due = self.front.next_at()
        if due is None:
            self._timer = None
            return
        ahead = (due - self.now()) / self.speed - _TIMER_TICK_S
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(0.0, ahead), self._tick)
