"""Measures one repetition at an endpoint, from its prompts to its summary."""

import asyncio
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from interview.measure import lag
from interview.measure.client import Clock
from interview.measure.connections import open_connections
from interview.measure.endpoint import Endpoint
from interview.measure.errors import EndpointError
from interview.measure.exchange import Exchange
from interview.measure.expectation import expected_s
from interview.measure.in_flight import InFlight, Send
from interview.measure.level import level_summary
from interview.measure.load import Level, run_level
from interview.measure.measured import Measured
from interview.measure.neighbourhood import Neighbourhood, NeighbourWatcher
from interview.measure.preparation import Preparation
from interview.measure.readings import Readings
from interview.measure.result import Result
from interview.measure.target import Ask, Target
from interview.measure.tasks import meanwhile, unless
from interview.measure.turn import Unwatched, Watcher
from interview.measure.watch import Watch
from interview.measure.workload import Load, Repetition

_REFUSALS = frozenset({301, 302, 303, 307, 308, 401, 403, 404, 405})
"""Answers to the first warm-up that every other request would get too."""


@dataclass(frozen=True, slots=True)
class Bench:
    """One endpoint and all that is used to measure it."""

    http: httpx.AsyncClient
    """For the streams."""
    side: httpx.AsyncClient
    """For questions while streams run."""
    target: Target
    endpoint: Endpoint
    exchange: Exchange
    salts: Iterator[list[str]]
    watch: Watch
    stop: asyncio.Event
    clock: Clock

    async def measure(
        self, repetition: Repetition, earlier: Sequence[Measured]
    ) -> Measured:
        """Raises EndpointError when the very first warm-up is refused."""
        load = repetition.load
        if not repetition.is_first:
            self.watch.stage("preparing")
        preparation = Preparation(self.http, self.target, repetition, self.salts)
        await unless(self.stop, preparation.prompts())
        warmups = await self.warm_up(preparation, repetition)
        readings = Readings(self.side, self.target, self.clock, self.watch.gauges)
        if self.endpoint.has_counters and not self.stop.is_set():
            await readings.before()
        if load.is_crowd:
            opening = open_connections(self.http, self.target, load.connections)
            await unless(self.stop, opening)
        self.watch.stage("measuring")
        self.watch.level_started(repetition, expected_s(repetition, earlier, warmups))
        level, lags_ns = await self._level(preparation, load, readings)
        neighbours = [neighbour.result for neighbour in level.neighbours]
        engine = await readings.after(level.results, neighbours)
        notes = ["prompt-estimated"] if preparation.estimated else []
        if engine is not None and not engine["alone"]:
            notes.append("other-traffic")
        summary = level_summary(load, level, lags_ns, notes)
        self.watch.level_ended(repetition, summary)
        return Measured(repetition, level, summary, warmups, lags_ns, engine)

    async def _level(
        self, preparation: Preparation, load: Load, readings: Readings
    ) -> tuple[Level, list[int]]:
        """The measured requests, and how late the loop was meanwhile."""
        counted = InFlight(self.exchange.send)
        with uncollected():
            async with (
                lag.probe(self.clock) as lags_ns,
                meanwhile(_follow(readings, load, counted)),
            ):
                level = await run_level(
                    counted.send,
                    preparation.asks,
                    load.users,
                    self.watch,
                    self.stop,
                    max_seconds=load.max_seconds,
                    beside=_beside(counted.send, preparation.beside, load, self.watch),
                )
        return level, lags_ns

    async def warm_up(
        self, preparation: Preparation, repetition: Repetition
    ) -> tuple[Result, ...]:
        """Same shape as the measured requests, in no number."""
        asks, load = preparation.warmup_asks, repetition.load
        if not asks:
            return ()
        self.watch.stage("warming-up")
        send, watch = self.exchange.send, _WarmUp(self.watch, repetition)
        warmups = await run_level(
            send,
            asks,
            min(load.users, len(asks)),
            watch,
            self.stop,
            max_seconds=load.max_seconds,
            beside=_beside(send, preparation.beside_warmups, load, watch),
        )
        if repetition.is_first:
            _raise_refusal(warmups.results)
        return warmups.results


@contextmanager
def uncollected() -> Iterator[None]:
    """The collector rests: under load each of its passes holds up reads for 20 ms.

    What is freed meanwhile is freed by its count of references; cycles wait.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _beside(
    send: Send, asks: Sequence[Sequence[Ask]], load: Load, watch: NeighbourWatcher
) -> Neighbourhood | None:
    if load.neighbours is None:
        return None
    return Neighbourhood(send, asks, load.neighbours.after_tokens, load.users, watch)


async def _follow(readings: Readings, load: Load, counted: InFlight) -> None:
    """A single request is left alone: there is no load to follow."""
    if load.requests > 1 or load.is_crowd:
        await readings.during(lambda: counted.now)


def _raise_refusal(warmups: Sequence[Result]) -> None:
    for result in warmups:
        if result.unreachable or result.http_status in _REFUSALS:
            raise EndpointError(result.error or "The endpoint refused the request.")


@dataclass(frozen=True, slots=True)
class _WarmUp:
    """Follows warm-ups: only their ends are told."""

    watch: Watch
    repetition: Repetition
    unwatched: Unwatched = field(default_factory=Unwatched)

    def stream(self, index: int, user: int) -> Watcher:
        return self.unwatched

    def finished(self, index: int, result: Result) -> None:
        self.watch.warmed_up(self.repetition, index, result)

    def neighbour(self, stream: int, user: int) -> Watcher:
        return self.unwatched

    def neighbour_ended(self, stream: int, result: Result) -> None:
        pass
