"""Rows of any table as lines of JSON, and back, alike on both databases.

The tables are those of the migrations that were applied, whatever the code has by now.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import batched
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Field, Model

from .errors import ArchiveError

Migrations = Iterable[tuple[str, str]]
WAYS_IN = {
    "sessions.Session",
    "accounts.SignedIn",
    "accounts.Invitation",
    "accounts.Attempt",
    "bank.CandidateLink",
    "bank.CandidateSeat",
    "socialaccount.SocialToken",
}
"""Who is signed in, links that let somebody in with the seats they gave, and who
tried. A backup has none of them: what was ended, used or revoked since must not work
again after a restore."""
AT_ONCE = 20
"""Rows in memory: the report of a long run has megabytes."""


def applied() -> list[tuple[str, str]]:
    return sorted(MigrationExecutor(connection).loader.applied_migrations)


def unknown(migrations: Migrations) -> list[tuple[str, str]]:
    """Those that this code does not have."""
    return sorted(
        set(migrations) - set(MigrationExecutor(connection).loader.graph.nodes)
    )


def tables_of(migrations: Migrations) -> list[type[Model]]:
    """As models, in the order of their names."""
    migrations = list(migrations)
    if newer := unknown(migrations):
        app, name = newer[0]
        raise ArchiveError(
            f"This Prefill does not know the migration {app}.{name}: update it to the "
            "version that made the backup, and install the same extras."
        )
    loader = MigrationExecutor(connection).loader
    apps: Apps = loader.project_state(migrations).apps
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]
    return sorted(found, key=lambda model: model._meta.label)


def kept(models: Iterable[type[Model]]) -> list[type[Model]]:
    """Those that a backup holds."""
    return [model for model in models if model._meta.label not in WAYS_IN]


def fields_of(model: type[Model]) -> "list[Field[Any, Any]]":
    return list(model._meta.local_concrete_fields)


def lines(model: type[Model]) -> Iterator[bytes]:
    """All rows in the order of their keys."""
    names = [field.attname for field in fields_of(model)]
    rows = model._base_manager.order_by("pk").values_list(*names)
    for row in rows.iterator(chunk_size=AT_ONCE):
        # Sorted, because PostgreSQL keeps the keys of an object in an order of its own.
        text = json.dumps(row, default=plain, sort_keys=True, separators=(",", ":"))
        yield text.encode() + b"\n"


def plain(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise ArchiveError(f"A value of the kind {type(value).__name__} cannot be kept.")


def insert(model: type[Model], columns: list[str], found: Iterable[bytes]) -> int:
    """Add the rows of these lines; how many there were."""
    fields = {field.column: field for field in fields_of(model)}
    chosen = [fields[column] for column in columns]
    quoted = ", ".join(map(connection.ops.quote_name, columns))
    marks = ", ".join(["%s"] * len(columns))
    table = connection.ops.quote_name(model._meta.db_table)
    sql = f"INSERT INTO {table} ({quoted}) VALUES ({marks})"
    count = 0
    with connection.cursor() as cursor:
        for some in batched(found, AT_ONCE):
            rows = [cells(json.loads(line), chosen) for line in some]
            cursor.executemany(sql, rows)
            count += len(rows)
    return count


def cells(row: list[Any], fields: "list[Field[Any, Any]]") -> list[Any]:
    return [
        field.get_db_prep_save(field.to_python(value), connection)
        for field, value in zip(fields, row, strict=True)
    ]


def clear(models: Iterable[type[Model]]) -> None:
    with connection.cursor() as cursor:
        for model in models:
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"DELETE FROM {table}")


def reset_sequences(models: list[type[Model]]) -> None:
    """So that the next row gets a number that is free."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
