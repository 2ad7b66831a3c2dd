"""A time-out for want of progress; knows nothing of HTTP."""

import asyncio
from collections.abc import Callable


class Silence:
    """Calls `on_silence` after `seconds` without a `broken()`; with None, never.

    A sign of life costs one clock read: the timer looks at its time when it fires.
    """

    def __init__(self, seconds: float | None, on_silence: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self._seconds = seconds
        self._on_silence = on_silence
        self._timer: asyncio.TimerHandle | None = None
        self._since = 0.0

    def __str__(self) -> str:
        return f"{self._seconds} s"

    def start(self) -> None:
        self.stop()
        self._since = self._time()
        if self._seconds is not None:
            self._timer = self._loop.call_later(self._seconds, self._look)

    def broken(self) -> None:
        self._since = self._time()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        assert self._seconds is not None
        left = self._since + self._seconds - self._time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._look)
        else:
            self._timer = None
            self._on_silence()
