"""Runs a measurement's coroutine with the signals and the loop it needs."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable


def run[T](main: Callable[[asyncio.Event], Awaitable[T]]) -> T:
    """Calls `main` with an event that SIGINT and SIGTERM set, on uvloop if there is."""

    async def with_signals() -> T:
        stop = asyncio.Event()
        if sys.platform != "win32":
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, stop.set)
        return await main(stop)

    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(with_signals())


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None
    import uvloop

    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
