"""Connections that can be used again, newest first, without a limit on their number.

Expired and closed ones are never handed out.
"""

import asyncio

from interview.measure.transport.connection import Connection
from interview.measure.transport.origin import Origin


class Pool:
    """Knows every open connection, idle or not: closing it leaves none behind."""

    def __init__(self, keepalive_expiry: float) -> None:
        self._keepalive_expiry = keepalive_expiry
        self._origins: dict[Connection, Origin] = {}
        self._idle: dict[Origin, dict[Connection, asyncio.TimerHandle]] = {}

    def add(self, connection: Connection, origin: Origin) -> None:
        self._origins[connection] = origin

    def take(self, origin: Origin) -> Connection | None:
        """An idle connection that is open at this moment, or None."""
        idle = self._idle.get(origin, {})
        now = asyncio.get_running_loop().time()
        while idle:
            connection, expiry = idle.popitem()
            expiry.cancel()
            if expiry.when() > now and connection.is_quiet():
                return connection
            connection.abort()
        return None

    def put_back(self, connection: Connection) -> None:
        expiry = asyncio.get_running_loop().call_later(
            self._keepalive_expiry, connection.abort
        )
        self._idle.setdefault(self._origins[connection], {})[connection] = expiry

    def remove(self, connection: Connection) -> None:
        """The connection has ended."""
        origin = self._origins.pop(connection, None)
        expiry = self._idle.get(origin, {}).pop(connection, None) if origin else None
        if expiry is not None:
            expiry.cancel()

    async def close(self) -> None:
        connections = list(self._origins)
        for connection in connections:
            connection.abort()
        for connection in connections:
            await asyncio.shield(connection.closed)
