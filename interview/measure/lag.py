"""How late our own event loop is; no stamp is better than the loop that takes it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from interview.measure.client import Clock

PERIOD_NS = 10_000_000


@asynccontextmanager
async def probe(clock: Clock) -> AsyncIterator[list[int]]:
    """Fills the list with nanoseconds of lateness, one value each 10 ms, while open."""
    lags_ns: list[int] = []
    task = asyncio.create_task(_wake(clock, lags_ns))
    try:
        yield lags_ns
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _wake(clock: Clock, lags_ns: list[int]) -> None:
    while True:
        due_ns = clock() + PERIOD_NS
        await asyncio.sleep(PERIOD_NS / 1e9)
        lags_ns.append(max(0, clock() - due_ns))
