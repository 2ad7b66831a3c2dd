"""One measurement from first contact to report; both ways in share it.

Prints nothing and reads no arguments; who follows it is a Watch.
"""

import asyncio
import gc
import random
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from interview.measure import lag
from interview.measure.client import Clock, client
from interview.measure.endpoint import Endpoint
from interview.measure.errors import EndpointError
from interview.measure.exchange import Exchange
from interview.measure.load import Level, LevelWatcher, run_level
from interview.measure.preparation import Preparation
from interview.measure.readings import Readings
from interview.measure.report import report
from interview.measure.result import Result
from interview.measure.target import Ask, Target
from interview.measure.turn import Unwatched, Watcher
from interview.measure.workload import Load

_REFUSALS = frozenset({301, 302, 303, 307, 308, 401, 403, 404, 405})
"""Answers to the first warm-up that every other request would get too."""


class Watch(LevelWatcher, Protocol):
    """Told how the measurement goes; must return at once."""

    def hello(self, endpoint: Endpoint) -> None:
        """First contact was made."""

    def stage(self, name: str) -> None:
        """preparing, warming-up or measuring."""

    def warmed_up(self, index: int, result: Result) -> None:
        """A warm-up request is over."""

    def level_started(self) -> None:
        """The first measured request is about to be sent."""

    def gauges(self, gauges: dict[str, float | None]) -> None:
        """The engine's load, just before and just after the level."""

    def level_ended(self, summary: dict[str, Any]) -> None:
        """All measured requests are over."""


async def measure(
    target: Target,
    load: Load,
    watch: Watch,
    stop: asyncio.Event,
    *,
    clock: Clock,
    origin_ns: int,
    chance: random.Random,
) -> dict[str, Any]:
    """The report, also when `stop` ends it early.

    `origin_ns`, a stamp of `clock`, is what the report's `sent_ms` count from;
    `chance` makes the salts of fresh prompts. Raises EndpointError when the endpoint
    cannot be reached, or refuses the first warm-up.
    """
    watch.stage("preparing")
    async with client(clock, load.timeout_s) as http:
        preparation = Preparation(http, target, load, chance)
        await _unless(stop, _prepare(preparation, watch))
        exchange = Exchange(http, target, clock, preparation.endpoint.models)
        warmups = await _warm_up(exchange, preparation.warmup_asks, load, watch, stop)
        readings = Readings(http, target, watch.gauges)
        if preparation.endpoint.has_counters and not stop.is_set():
            await readings.before()
        asks = preparation.asks
        level, lags_ns = await _level(exchange, asks, load, watch, stop, clock)
        engine = await readings.after(level.results)
    told = report(
        target,
        preparation.endpoint.engine,
        load,
        level,
        warmups,
        lags_ns,
        origin_ns,
        engine_view=engine,
        notes=_notes(preparation, engine),
    )
    watch.level_ended(told["summary"])
    return told


async def _prepare(preparation: Preparation, watch: Watch) -> None:
    await preparation.contact()
    watch.hello(preparation.endpoint)
    await preparation.prompts()


async def _level(
    exchange: Exchange,
    asks: Sequence[Ask],
    load: Load,
    watch: Watch,
    stop: asyncio.Event,
    clock: Clock,
) -> tuple[Level, list[int]]:
    """The measured requests, and how late the loop was meanwhile."""
    watch.stage("measuring")
    # What lives now is kept out of the collector, so that it does not pause a read.
    gc.collect()
    gc.freeze()
    watch.level_started()
    async with lag.probe(clock) as lags_ns:
        level = await run_level(
            exchange.send,
            asks,
            load.users,
            watch,
            stop,
            max_seconds=load.max_seconds,
        )
    return level, lags_ns


def _notes(preparation: Preparation, engine: dict[str, Any] | None) -> list[str]:
    notes = ["prompt-estimated"] if preparation.estimated else []
    if engine is not None and not engine["alone"]:
        notes.append("other-traffic")
    return notes


async def _warm_up(
    exchange: Exchange,
    asks: Sequence[Ask],
    load: Load,
    watch: Watch,
    stop: asyncio.Event,
) -> tuple[Result, ...]:
    """Same shape as the measured requests, in no number. Raises EndpointError."""
    if not asks:
        return ()
    watch.stage("warming-up")
    users = min(load.users, len(asks))
    warmups = await run_level(
        exchange.send,
        asks,
        users,
        _WarmUp(watch),
        stop,
        max_seconds=load.max_seconds,
    )
    for result in warmups.results:
        if result.unreachable or result.http_status in _REFUSALS:
            raise EndpointError(result.error or "The endpoint refused the request.")
    return warmups.results


class _WarmUp:
    """Follows warm-ups: only their ends are told."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def stream(self, index: int) -> Watcher:
        return Unwatched()

    def finished(self, index: int, result: Result) -> None:
        self._watch.warmed_up(index, result)


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Runs the coroutine until `stop`, which cancels it."""
    task = asyncio.ensure_future(work)
    stopper = asyncio.ensure_future(stop.wait())
    await asyncio.wait({task, stopper}, return_when=asyncio.FIRST_COMPLETED)
    stopper.cancel()
    if task.done():
        task.result()
    else:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
