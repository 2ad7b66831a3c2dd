"""The tokens of many streams in few lines: what a loop of 256 streams can afford.

A token costs an append; all that came in 100 ms becomes one event.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from interview.measure.decoder import Piece

PERIOD_S = 0.1

Tick = tuple[int, int, int]
"""Stream, tokens, stamp in ns."""
Start = tuple[int, int, int]
"""Stream, user, t0 in ns."""
End = tuple[int, str, int]
"""Stream, status, stamp in ns."""
Tell = Callable[[list[Tick], list[Start], list[End]], None]


class Ticks:
    """Gathers, and calls `tell` at most each 100 ms with what there is."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None
        self._ticks: list[Tick] = []
        self._starts: list[Start] = []
        self._ends: list[End] = []

    def token(self, stream: int, tokens: int, stamp_ns: int) -> None:
        self._ticks.append((stream, tokens, stamp_ns))
        if self._timer is None:
            self._start()

    def start(self, stream: int, user: int, stamp_ns: int) -> None:
        self._starts.append((stream, user, stamp_ns))
        if self._timer is None:
            self._start()

    def end(self, stream: int, status: str, stamp_ns: int) -> None:
        self._ends.append((stream, status, stamp_ns))
        if self._timer is None:
            self._start()

    def flush(self) -> None:
        """Tells now what is there, if anything is."""
        if self._timer is None:
            return
        self._timer.cancel()
        self._timer = None
        ticks, self._ticks = self._ticks, []
        starts, self._starts = self._starts, []
        ends, self._ends = self._ends, []
        self._tell(ticks, starts, ends)

    def _start(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PERIOD_S, self.flush)


@dataclass(frozen=True, slots=True)
class Ticking:
    """Watches one stream."""

    ticks: Ticks
    stream: int
    user: int

    def phase(self, name: str, stamp_ns: int) -> None:
        if name == "sent":
            self.ticks.start(self.stream, self.user, stamp_ns)

    def piece(self, piece: Piece) -> None:
        if piece.tokens:
            self.ticks.token(self.stream, piece.tokens, piece.stamp_ns)
