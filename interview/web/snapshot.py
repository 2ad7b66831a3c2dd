"""One moment of the database, read while others go on writing."""

import contextlib
from collections.abc import Iterator

from django.db import connection, transaction


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """All reads within see one moment; writers are not held up.

    Within a transaction it is that one's.
    """
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            level = "ISOLATION LEVEL REPEATABLE READ, READ ONLY"
            cursor.execute(f"SET TRANSACTION {level}")
            yield
        return
    # Not `atomic`: a transaction of ours takes the one lock for writing at its start.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
