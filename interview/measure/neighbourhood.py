"""Requests beside the measured ones: each is sent when an answer has come so far.

They are in no number but their own. Knows neither HTTP nor JSON.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from interview.measure.decoder import Piece
from interview.measure.in_flight import Send
from interview.measure.result import Result
from interview.measure.target import Ask
from interview.measure.turn import Watcher


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What became of one."""

    of: int
    """The measured stream that it was sent beside."""
    result: Result


class NeighbourWatcher(Protocol):
    """Told what happens to neighbours; must return at once."""

    def neighbour(self, stream: int, user: int) -> Watcher:
        """Who follows this one."""

    def neighbour_ended(self, stream: int, result: Result) -> None:
        """It is over, whatever became of it."""


class Neighbourhood:
    """The neighbours of one repetition.

    `asks` has a list for each measured stream: neighbour j of stream s is stream
    len(asks) + s × len(asks[s]) + j, of the user `users` + j. It is sent when stream s
    has received (j + 1) × `after_tokens` tokens.
    """

    def __init__(
        self,
        send: Send,
        asks: Sequence[Sequence[Ask]],
        after_tokens: int,
        users: int,
        watch: NeighbourWatcher,
    ) -> None:
        self._send = send
        self._asks = asks
        self._after_tokens = after_tokens
        self._users = users
        self._watch = watch
        self._tasks: list[asyncio.Task[None]] = []
        self._found: dict[int, Neighbour] = {}
        self._over: set[int] = set()
        self._halted = False

    def of(self, stream: int, watcher: Watcher) -> Watcher:
        """Tells `watcher` all of a measured stream, and sends its neighbours."""

        def start(number: int) -> None:
            if not self._halted:
                self._tasks.append(asyncio.create_task(self._run(stream, number)))

        return _Counting(watcher, self._after_tokens, len(self._asks[stream]), start)

    def over(self, stream: int) -> None:
        """The measured stream has ended: what was due at its last tokens is late."""
        self._over.add(stream)

    def halt(self) -> Sequence[asyncio.Task[None]]:
        """Sends no more and closes what is under way; returns what is to be awaited."""
        self._halted = True
        for task in self._tasks:
            task.cancel()
        return self._tasks

    async def settled(self) -> None:
        """Returns when all that were sent have ended; raises the client's faults."""
        await asyncio.gather(*self._tasks)

    def found(self) -> tuple[Neighbour, ...]:
        """Those that have ended, in the order of their streams."""
        return tuple(self._found[stream] for stream in sorted(self._found))

    async def _run(self, of: int, number: int) -> None:
        if of in self._over:
            return
        asks = self._asks[of]
        stream = len(self._asks) + of * len(asks) + number
        user = self._users + number
        watcher = self._watch.neighbour(stream, user)
        result = await self._send(asks[number], watcher, user=user)
        self._found[stream] = Neighbour(of, result)
        self._watch.neighbour_ended(stream, result)


class _Counting:
    """Watches a measured stream and calls `start` at each token count that is due."""

    def __init__(
        self,
        watcher: Watcher,
        after_tokens: int,
        neighbours: int,
        start: Callable[[int], None],
    ) -> None:
        self.phase = watcher.phase
        self._told = watcher.piece
        self._after_tokens = after_tokens
        self._neighbours = neighbours
        self._start = start
        self._started = 0
        self._tokens = 0

    def piece(self, piece: Piece) -> None:
        self._told(piece)
        self._tokens += piece.tokens
        while (
            self._started < self._neighbours
            and self._tokens >= self._after_tokens * (self._started + 1)
        ):
            self._start(self._started)
            self._started += 1
