"""Writes down which seats are there, on the thread that all streams read with.

On SQLite one writer keeps the others waiting, for seconds; readers it does not.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from django.db import OperationalError, connection

from ..models import RoomSeat

PATIENCE_MS = 50


def say_there(seats: Collection[UUID], now: datetime) -> bool:
    """False when somebody else was writing: say it again soon."""
    if connection.vendor != "sqlite":
        RoomSeat.objects.seen(seats, now)
        return True
    try:
        with patience(PATIENCE_MS):
            RoomSeat.objects.seen(seats, now)
    except OperationalError as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


@contextmanager
def patience(wait_ms: int) -> Iterator[None]:
    """How long this thread's connection waits for another writer."""
    with connection.cursor() as cursor:
        (usual_ms,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {wait_ms}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual_ms}")
