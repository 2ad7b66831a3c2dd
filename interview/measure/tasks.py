"""Work that ends early, and work beside other work; knows nothing of measuring."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any


async def unless[T](stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of the work; None when `stop` came first, which cancels it."""
    task = asyncio.ensure_future(work)
    stopper = asyncio.ensure_future(stop.wait())
    await asyncio.wait({task, stopper}, return_when=asyncio.FIRST_COMPLETED)
    stopper.cancel()
    stopped = task.cancel()
    await asyncio.wait({task, stopper})
    return None if stopped else task.result()


@asynccontextmanager
async def meanwhile(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs the work until the block ends; raises what it raised."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.result()
