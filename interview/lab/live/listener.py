"""One doorbell and one reading thread per process, however many hubs hand out news."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Protocol

from django.db import DatabaseError, connections
from django.db import Error as AnyDatabaseError

from .doorbell import Ring, rings
from .spawn import spawn

log = logging.getLogger(__name__)

AGAIN_S = 1.0
"""After the doorbell broke."""


class Part(Protocol):
    """A hub that wants to hear the doorbell while somebody watches there."""

    @property
    def watchers(self) -> int: ...

    async def hear(self, ring: Ring) -> None: ...

    def stop(self) -> None: ...


class Listener:
    """Used from one event loop. Its reads run on one thread: one connection at most."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._following: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None

    @property
    def watchers(self) -> int:
        return sum(part.watchers for part in self._parts)

    def join(self, part: Part) -> None:
        self._parts.append(part)

    def wake(self) -> None:
        """Somebody watches: listen from now on, and look at all at the first ring."""
        if self._following is None:
            self._following = spawn(self._follow(), "lab doorbell")

    def rest(self) -> None:
        """When nobody watches any more: no listener, no thread, no connection."""
        if self.watchers:
            return
        if self._following:
            self._following.cancel()
            self._following = None
        if self._thread:
            self._thread.submit(connections.close_all)
            self._thread.shutdown(wait=False)
            self._thread = None

    def stop(self) -> None:
        """Say goodbye to all watchers, now and later."""
        for part in self._parts:
            part.stop()

    async def read[**P, T](
        self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "lab-hub")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, _careful, lambda: read(*args, **kwargs)
        )

    async def _follow(self) -> None:
        """Until cancelled: were it to end, all streams would stay silent."""
        while True:
            try:
                async with aclosing(rings()) as heard:
                    async for ring in heard:
                        await self._tell(ring)
            except Exception:
                log.exception("The lab's doorbell broke; it is hung up again")
            await asyncio.sleep(AGAIN_S)

    async def _tell(self, ring: Ring) -> None:
        for part in self._parts:
            try:
                await part.hear(ring)
            except DatabaseError as error:
                log.warning("The lab's hub could not read yet: %s", error)
            except Exception:
                log.exception("The lab's hub failed at a ring")


def _careful[T](read: Callable[[], T]) -> T:
    try:
        return read()
    except AnyDatabaseError:
        connections.close_all()
        raise


listener = Listener()
