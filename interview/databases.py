"""Django's settings of the two databases: what each needs under a web server."""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def database(url: str) -> dict[str, Any]:
    """Django's database settings for postgres://user:password@host:port/name."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ImproperlyConfigured(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name; "
            "leave it unset for SQLite."
        )
    query = dict(item.partition("=")[::2] for item in parts.query.split("&") if item)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(query.pop("host", "")) or parts.hostname or "",
        "PORT": str(parts.port or ""),
        # A kept connection per thread would grow with every thread of the server.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "pool": {"min_size": 1, "max_size": 8, "timeout": 10},
            **query,
            # Tells the sessions of one process from those of all others.
            "application_name": f"prefill {os.getpid()} {secrets.token_hex(4)}",
        },
    }


def sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "interview.sqlite",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
        # In-memory test databases lock whole tables between threads.
        "TEST": {"NAME": path.with_name("test.sqlite3")},
    }
