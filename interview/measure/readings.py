"""Reads the engine's counters around a level, never inside: that would cost gaps."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import httpx

from interview.measure.counters import Counters, engine_view
from interview.measure.endpoint import read_counters
from interview.measure.result import Result
from interview.measure.target import Target

TRIES = 5
PAUSE_S = 0.1
"""An engine may count the end of a request a little after its last token left."""


class Readings:
    """One reading before and one after; without the first there is no view."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        target: Target,
        told: Callable[[dict[str, float | None]], None],
    ) -> None:
        self._http = http
        self._target = target
        self._told = told
        self._before: Counters | None = None

    async def before(self) -> None:
        """Waits a little for what came before to be over."""
        self._before = await self._settled(lambda now: not now.busy)

    async def after(self, results: Sequence[Result]) -> dict[str, Any] | None:
        """What the engine did in between, None when it does not tell."""
        if self._before is None:
            return None
        wanted = (self._before.prefilled or 0) + sum(
            result.status == "completed" for result in results
        )
        after = await self._settled(
            lambda now: not now.busy and (now.prefilled or 0) >= wanted
        )
        return engine_view(self._before, after, results) if after else None

    async def _settled(self, is_settled: Callable[[Counters], bool]) -> Counters | None:
        reading = None
        for _ in range(TRIES):
            reading = await read_counters(self._http, self._target)
            if reading is None or is_settled(reading):
                break
            await asyncio.sleep(PAUSE_S)
        if reading is not None:
            self._told(reading.gauges)
        return reading
