"""Django's SQLite, with a private file, and checks that make none."""

import os
import sqlite3
from typing import Any

from django.db.backends.sqlite3 import base, features

PRIVATE = 0o600
"""Of a new file; SQLite gives its -wal and -shm the same."""


class DatabaseFeatures(features.DatabaseFeatures):
    # Part of every SQLite that Django takes. Django asks a connection, which would
    # make an empty database, or fail without a folder, at every system check.
    supports_json_field = True


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        path = conn_params["database"]
        if not conn_params.get("uri") or not str(path).startswith("file:"):
            make_private(path)
        connection: sqlite3.Connection = super().get_new_connection(conn_params)
        return connection


def make_private(path: "os.PathLike[str] | str") -> None:
    """Make the file unless it is there; where it can't be, SQLite says so itself."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, PRIVATE))
    except OSError:
        return
