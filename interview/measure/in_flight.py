"""How a request is sent, and how many of ours are under way now."""

from typing import Protocol

from interview.measure.result import Result
from interview.measure.target import Ask
from interview.measure.turn import Watcher


class Send(Protocol):
    """One request, whole; when cancelled it returns a cancelled result."""

    async def __call__(self, ask: Ask, watcher: Watcher, *, user: int) -> Result: ...


class InFlight:
    """Sends as it is told and counts meanwhile."""

    def __init__(self, send: Send) -> None:
        self.now = 0
        self._send = send

    async def send(self, ask: Ask, watcher: Watcher, *, user: int) -> Result:
        self.now += 1
        try:
            return await self._send(ask, watcher, user=user)
        finally:
            self.now -= 1
