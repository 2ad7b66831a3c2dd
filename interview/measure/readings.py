"""Reads the engine's counters around a repetition, and its gauges during it.

On a connection of its own: a stream never waits behind a reading.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import httpx

from interview.measure.client import Clock
from interview.measure.counters import Counters, engine_view
from interview.measure.endpoint import read_counters
from interview.measure.result import Result
from interview.measure.target import Target

TRIES = 5
PAUSE_S = 0.1
"""An engine may count the end of a request a little after its last token left."""
PERIOD_S = 1.0
SLOW_NS = 50_000_000
"""An engine that takes this long over /metrics would be held up by the question."""

Gauges = dict[str, float | None]


class Readings:
    """One reading before and one after; without the first there is no view."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        target: Target,
        clock: Clock,
        told: Callable[[Gauges], None],
    ) -> None:
        self._http = http
        self._target = target
        self._clock = clock
        self._told = told
        self._before: Counters | None = None
        self._took_ns = 0

    async def before(self) -> None:
        """Waits a little for what came before to be over."""
        self._before = await self._settled(lambda now: not now.busy)

    async def during(self, ours: Callable[[], int], period_s: float = PERIOD_S) -> None:
        """Tells the gauges each period until cancelled, or until a reading is slow.

        `ours` says how many of our requests are under way.
        """
        while self._before is not None and self._took_ns <= SLOW_NS:
            await asyncio.sleep(period_s)
            earlier = ours()
            reading = await self._read()
            if reading is None:
                break
            # A request that starts or ends meanwhile is nobody else's.
            self._told(reading.gauges_beside(max(earlier, ours())))

    async def after(
        self, results: Sequence[Result], neighbours: Sequence[Result] = ()
    ) -> dict[str, Any] | None:
        """What the engine did in between, None when it does not tell."""
        if self._before is None:
            return None
        wanted = (self._before.prefilled or 0) + sum(
            result.status == "completed" for result in (*results, *neighbours)
        )
        after = await self._settled(
            lambda now: not now.busy and (now.prefilled or 0) >= wanted
        )
        if after is None:
            return None
        return engine_view(self._before, after, results, neighbours)

    async def _settled(self, is_settled: Callable[[Counters], bool]) -> Counters | None:
        reading = None
        for _ in range(TRIES):
            reading = await self._read()
            if reading is None or is_settled(reading):
                break
            await asyncio.sleep(PAUSE_S)
        if reading is not None:
            self._told(reading.gauges_beside(0))
        return reading

    async def _read(self) -> Counters | None:
        started_ns = self._clock()
        reading = await read_counters(self._http, self._target)
        self._took_ns = self._clock() - started_ns
        return reading
