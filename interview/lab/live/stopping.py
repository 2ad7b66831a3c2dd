"""Tells open streams that the server is about to stop, before it waits for them.

ASGI's lifespan shutdown comes only after streams have ended, so the signals are chained
behind whatever handler the server installed.
"""

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stopping:
    """Calls `say` once on the loop when the process is asked to end."""

    def __init__(self, say: Callable[[], None]) -> None:
        self._say = say
        self._watching = False

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Chain the handlers, at the first call; signals belong to the main thread."""
        if self._watching or threading.current_thread() is not threading.main_thread():
            return
        self._watching = True
        for number in SIGNALS:
            self._chain(number, loop)

    def _chain(self, number: int, loop: asyncio.AbstractEventLoop) -> None:
        before = signal.getsignal(number)

        def said(received: int, frame: FrameType | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._say)
            if callable(before):
                before(received, frame)
            elif before is signal.SIG_DFL:
                signal.signal(received, signal.SIG_DFL)
                signal.raise_signal(received)

        signal.signal(number, said)
