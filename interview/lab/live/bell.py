"""The doorbell: a hint that rows of the lab changed. The table is the log.

SQLite needs no ringing: a commit moves `PRAGMA data_version` of every other connection.
"""

import json
from uuid import UUID

from django.db import connection

CHANNEL = "prefill_lab"


def ring(run_id: UUID, seq: int | None = None) -> None:
    """Ring for one run: `seq` of a new batch, or None when its state changed.

    Call it inside the transaction that wrote the rows: it is heard at the commit.
    PostgreSQL delivers equal payloads of a transaction once, and at most 7,999 bytes.
    """
    notify({"run": str(run_id), "seq": seq})


def ring_room(room_id: UUID) -> None:
    """Ring for a room whose revision grew."""
    notify({"room": str(room_id)})


def notify(said: dict[str, object]) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(said)])
