"""A closed loop: C users, each sends its next request when its last one ended.

Knows neither HTTP nor JSON; what sends a request is an argument.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from interview.measure.in_flight import Send
from interview.measure.neighbourhood import Neighbour, Neighbourhood
from interview.measure.result import Result
from interview.measure.target import Ask
from interview.measure.turn import Watcher

STAGGER_S = 0.0003
"""Between the starts of two users: a burst of starts would hold up the loop."""


class LevelWatcher(Protocol):
    """Told what happens in a level; must return at once."""

    def stream(self, index: int, user: int) -> Watcher:
        """Who follows the request with this number, that this user sends."""

    def finished(self, index: int, result: Result) -> None:
        """The request is over, whatever became of it."""


@dataclass(frozen=True, slots=True)
class Level:
    """What became of the requests that were started, in their order."""

    results: tuple[Result, ...]
    stopped: bool
    timed_out: bool
    neighbours: tuple[Neighbour, ...] = ()
    """Those that were started, in the order of their streams."""


class _Users:
    """All users of one level, drawing from one list of requests."""

    def __init__(
        self,
        send: Send,
        asks: Sequence[Ask],
        watch: LevelWatcher,
        beside: Neighbourhood | None,
    ) -> None:
        self.results: dict[int, Result] = {}
        self.halted = False
        self._send = send
        self._todo: Iterator[tuple[int, Ask]] = iter(enumerate(asks))
        self._watch = watch
        self._beside = beside

    async def live(self, user: int) -> None:
        await asyncio.sleep(user * STAGGER_S)
        for index, ask in self._todo:
            watcher = self._watch.stream(index, user)
            if self._beside is not None:
                watcher = self._beside.of(index, watcher)
            result = await self._send(ask, watcher, user=user)
            self.results[index] = result
            self._watch.finished(index, result)
            if self._beside is not None:
                self._beside.over(index)
            if self.halted:
                break


async def run_level(
    send: Send,
    asks: Sequence[Ask],
    users: int,
    watch: LevelWatcher,
    stop: asyncio.Event,
    *,
    max_seconds: float | None = None,
    beside: Neighbourhood | None = None,
) -> Level:
    """Runs until all requests and their neighbours ended, `stop` or the time is up.

    Requests under way are cancelled then, which closes their connections; those not
    started yet are left out.
    """
    if stop.is_set():
        return Level((), stopped=True, timed_out=False)
    crowd = _Users(send, asks, watch, beside)
    tasks = [asyncio.create_task(crowd.live(user)) for user in range(users)]
    everyone = asyncio.create_task(_all(tasks, beside))
    try:
        await _first(everyone, stop, max_seconds)
        over = everyone.done()
        if over:
            everyone.result()
    finally:
        crowd.halted = True
        for task in tasks:
            task.cancel()
        left = beside.halt() if beside is not None else ()
        await asyncio.gather(*tasks, *left, everyone, return_exceptions=True)
    return Level(
        results=tuple(crowd.results[index] for index in sorted(crowd.results)),
        stopped=not over and stop.is_set(),
        timed_out=not over and not stop.is_set(),
        neighbours=beside.found() if beside is not None else (),
    )


async def _all(
    users: Sequence[asyncio.Task[None]], beside: Neighbourhood | None
) -> None:
    """Returns when all have ended; raises the first fault of the client."""
    await asyncio.gather(*users)
    if beside is not None:
        await beside.settled()


async def _first(
    everyone: asyncio.Future[Any], stop: asyncio.Event, max_seconds: float | None
) -> None:
    """Returns when everyone is done, at the stop or when the time is up."""
    stopper = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait(
            {everyone, stopper},
            timeout=max_seconds,
            return_when=asyncio.FIRST_COMPLETED,
        )
    finally:
        stopper.cancel()
        await asyncio.gather(stopper, return_exceptions=True)
