"""Streams that join one by one; each asks again when its answer has ended.

Who is told to join waits until the number of streams before has been measured.

It ends at the stop or at its time limit, when all that may join have streamed for a
while, or when nobody came. Knows neither HTTP nor JSON.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from interview.measure.client import Clock
from interview.measure.decoder import Piece
from interview.measure.gathering_joins import Joins
from interview.measure.gathering_level import Heard
from interview.measure.gathering_windows import Window, Windows
from interview.measure.in_flight import Send
from interview.measure.load import LevelWatcher
from interview.measure.target import Ask
from interview.measure.turn import Watcher

FULL_S = 20.0
"""When all that may join have joined, it goes on for so long."""
NOBODY_S = 60.0
"""While nobody has joined, the endpoint is not held for longer."""
STANDS_S = 1.2
"""A number of streams stands for so long before the next one joins: what counts as
measured, and a few steps."""
UNOPENED_S = 10.0
"""One that has not come to stand after so long is not waited for."""
DECODED_S = 0.02
"""In this time all that was read before has been decoded, too."""
AFTER_FAILURE_S = 1.0
"""Before a stream asks again whose request failed: a server in trouble is not hit."""

End = Literal["stopped", "time-limit", "full", "nobody"]


class Levels(Protocol):
    """Told where windows begin and end; must return at once."""

    def joined(self, users: int) -> None:
        """So many streams from now on: the last of them is about to ask."""

    def opened(self) -> None:
        """All of them have their first token."""

    def closed(self, window: Window, heard: Sequence[Heard]) -> None:
        """Nothing that arrives from now on is of this window."""


@dataclass(frozen=True, slots=True)
class Gathered:
    heard: tuple[Heard, ...]
    """All answers, in the order in which they were asked for."""
    windows: tuple[Window, ...]
    """One for each number of streams, from 1, however short."""
    end: End


@dataclass(slots=True)
class _Listening:
    """Watches one answer and writes down what its window needs."""

    told: Watcher
    heard: Heard
    first: Callable[[int], None]

    def phase(self, name: str, stamp_ns: int) -> None:
        if name == "sent":
            self.heard.sent_ns = stamp_ns
        self.told.phase(name, stamp_ns)

    def piece(self, piece: Piece) -> None:
        if piece.tokens:
            if not self.heard.stamps_ns:
                self.first(piece.stamp_ns)
            self.heard.stamps_ns.append(piece.stamp_ns)
            self.heard.tokens.append(piece.tokens)
        self.told.piece(piece)


class Gathering:
    """`ask` makes a request that no earlier one resembles."""

    def __init__(
        self,
        send: Send,
        ask: Callable[[], Ask],
        watch: LevelWatcher,
        levels: Levels,
        clock: Clock,
    ) -> None:
        self._send = send
        self._ask = ask
        self._watch = watch
        self._levels = levels
        self._clock = clock
        self._heard: list[Heard] = []
        self._windows = Windows()
        self._found: list[Window] = []
        self._streams: list[asyncio.Task[None]] = []
        self._halted = False
        self._settled = asyncio.Event()
        """The present number of streams has stood, or will not."""
        self._settled.set()
        self._settling: asyncio.TimerHandle | None = None

    async def run(
        self, joins: Joins, most: int, stop: asyncio.Event, max_seconds: float | None
    ) -> Gathered:
        """Requests under way at the end are cancelled, which closes connections."""
        try:
            end = await self._until_end(joins, most, stop, max_seconds)
            ended_ns = self._clock()
        finally:
            self._halted = True
            if self._settling:
                self._settling.cancel()
            for stream in self._streams:
                stream.cancel()
            await asyncio.gather(*self._streams, return_exceptions=True)
        self._close(self._windows.end(ended_ns))
        return Gathered(tuple(self._heard), tuple(self._found), end)

    async def _until_end(
        self, joins: Joins, most: int, stop: asyncio.Event, max_seconds: float | None
    ) -> End:
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + (max_seconds or float("inf"))
        patient_until = loop.time() + NOBODY_S
        last = 0
        while True:
            joined = len(self._streams)
            waits = 0 < joined < most
            until = ends_at if waits else min(ends_at, patient_until)
            number = await self._next(joins, stop, until - loop.time())
            if stop.is_set():
                return "stopped"
            if number is None and until == ends_at:
                return "time-limit"
            if number is None:
                return "full" if joined else "nobody"
            if last < number and joined < most:
                last = number
                await self._join()
                patient_until = loop.time() + FULL_S

    async def _next(
        self, joins: Joins, stop: asyncio.Event, wait_s: float
    ) -> int | None:
        """Who joins next; None at the stop or after the wait. Raises our own faults."""
        asked = asyncio.ensure_future(self._asked(joins))
        stopper = asyncio.ensure_future(stop.wait())
        timeout = None if wait_s == float("inf") else max(0.0, wait_s)
        first = asyncio.FIRST_COMPLETED
        ours = [asked, stopper, *self._streams]
        try:
            done, _ = await asyncio.wait(ours, timeout=timeout, return_when=first)
        finally:
            stopper.cancel()
            asked.cancel()
            await asyncio.gather(asked, stopper, return_exceptions=True)
        for stream in done.intersection(self._streams):
            stream.result()
        return asked.result() if asked in done else None

    async def _asked(self, joins: Joins) -> int:
        await self._settled.wait()
        return await joins.next()

    def _settle_in(self, wait_s: float) -> None:
        if self._settling:
            self._settling.cancel()
        loop = asyncio.get_running_loop()
        self._settling = loop.call_later(wait_s, self._settled.set)

    async def _join(self) -> None:
        """Closes the window first, so that nothing of the new stream is in it."""
        at_ns = self._clock()
        await asyncio.sleep(DECODED_S)
        self._close(self._windows.join(at_ns))
        user = len(self._streams)
        self._levels.joined(user + 1)
        self._settled.clear()
        self._settle_in(UNOPENED_S)
        self._streams.append(asyncio.create_task(self._live(user)))

    def _close(self, window: Window | None) -> None:
        if window is not None:
            self._found.append(window)
            self._levels.closed(window, self._heard)

    async def _live(self, user: int) -> None:
        joins = True
        while not self._halted:
            index = len(self._heard)
            heard = Heard(user, joins)
            self._heard.append(heard)
            watcher = _Listening(
                self._watch.stream(index, user), heard, lambda at: self._first(user, at)
            )
            result = await self._send(self._ask(), watcher, user=user)
            heard.ended(result)
            self._watch.finished(index, result)
            joins = joins and not heard.stamps_ns
            if result.status != "completed" and not self._halted:
                await asyncio.sleep(AFTER_FAILURE_S)

    def _first(self, user: int, stamp_ns: int) -> None:
        if self._windows.token(user, stamp_ns):
            self._levels.opened()
            self._settle_in(STANDS_S)
