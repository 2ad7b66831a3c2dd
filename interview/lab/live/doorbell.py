"""Hears that lab rows changed: one connection per process, none of Django's pool."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection

from .bell import CHANNEL

log = logging.getLogger(__name__)

POLL_S = 0.05
LOOK_ANYWAY_S = 2.0
"""Without a ring: workers die and rings get lost in silence."""
RECONNECT_S = 1.0

DJANGOS_OWN = {"cursor_factory", "context"}
"""Parameters that fit Django's synchronous connections only."""


@dataclass(frozen=True, slots=True)
class RoomRing:
    room: UUID


Ring = UUID | RoomRing | None
"""The run whose batch was written, the room that changed, or None: look at all."""


def rings() -> AsyncGenerator[Ring]:
    """Endless; the first ring comes once the doorbell listens."""
    parameters = connection.get_connection_params()
    if connection.vendor == "postgresql":
        return notified(parameters)
    return polled(parameters)


async def polled(parameters: dict[str, Any]) -> AsyncGenerator[Ring]:
    """`PRAGMA data_version` of one autocommit connection that is kept for life.

    A fresh connection always reads the same value, an open read transaction hides
    changes.
    """
    path = str(parameters["database"])
    # The read is microseconds; a thread per poll would cost more than it saves.
    watch = sqlite3.connect(path, isolation_level=None, uri=path.startswith("file:"))
    try:
        version, waited = None, 0.0
        while True:
            now = watch.execute("PRAGMA data_version").fetchone()[0]
            if now != version or waited >= LOOK_ANYWAY_S:
                version, waited = now, 0.0
                yield None
            await asyncio.sleep(POLL_S)
            waited += POLL_S
    finally:
        watch.close()


async def notified(parameters: dict[str, Any]) -> AsyncGenerator[Ring]:
    """LISTEN on a connection of its own; after a reconnect everything is looked at."""
    while True:
        try:
            async with aclosing(listened(parameters)) as heard:
                async for ring in heard:
                    yield ring
        except psycopg.Error as error:
            log.warning("The lab's doorbell lost its connection: %s", error)
            await asyncio.sleep(RECONNECT_S)


async def listened(parameters: dict[str, Any]) -> AsyncGenerator[Ring]:
    address = {k: v for k, v in parameters.items() if k not in DJANGOS_OWN}
    listener = await psycopg.AsyncConnection.connect(**address, autocommit=True)
    try:
        await listener.execute(f"LISTEN {CHANNEL}")
        yield None
        while True:
            async for note in listener.notifies(timeout=LOOK_ANYWAY_S):
                yield ring_of(note.payload)
            yield None
    finally:
        # `async with` would roll back first, and a second cancellation then leaks it.
        await listener.close()


def ring_of(payload: str) -> Ring:
    """Whoever may connect may notify: what is not ours is a reason to look at all."""
    try:
        heard = json.loads(payload)
        if "room" in heard:
            return RoomRing(UUID(heard["room"]))
        return UUID(heard["run"]) if heard["seq"] else None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        log.warning("Something else rang the lab's doorbell: %r", error)
        return None
