"""Puts an archive in the place of what is here, and keeps a copy of that."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from . import manifest
from .backup import PROFILES, backup, private_files
from .errors import ArchiveError
from .manifest import Manifest
from .rows import (
    WAYS_IN,
    applied,
    clear,
    insert,
    reset_sequences,
    tables_of,
    unknown,
)


@dataclass(frozen=True, slots=True)
class Options:
    replace: bool
    """Also when there is something here; a copy of it is kept."""
    without_copy: bool
    """Also a database of a newer Prefill, which this one cannot copy."""


@dataclass(frozen=True, slots=True)
class Restored:
    manifest: Manifest
    copy: Path | None
    """Of what was here before; None when there was nothing, or it is named nowhere."""


def restore(source: Path, now: datetime, options: Options) -> Restored:
    """Raises ArchiveError before anything is changed, when it cannot be done.

    Later, too, when it breaks off: then with the way back.
    """
    with opened(source) as archive:
        found = manifest.read(archive)
        models = tables_of(found.migrations)
        places = [(entry.name, place(entry.name)) for entry in found.files]
        check_alone()
        copy = keep(now, options)
        try:
            fill_tables(archive, found, models)
            fill_files(archive, places)
        except (Exception, KeyboardInterrupt) as error:
            raise ArchiveError(broken_off(error, copy)) from error
    return Restored(found, copy)


def broken_off(error: BaseException, copy: Path | None) -> str:
    said = f"The restore broke off, and what is here is not whole: {error!r}. "
    if copy is None:
        return said + "Run it again when the cause is put right."
    return said + (
        f"What was here before is in {copy}; "
        f"`manage.py restore {copy} --replace` brings it back."
    )


def fill_tables(archive: ZipFile, found: Manifest, models: list[type[Model]]) -> None:
    # Not one transaction: SQLite changes no tables with foreign keys within one.
    if applied():
        drop_tables()
    migrate_to(found.migrations)
    with transaction.atomic():
        clear(models)
        load(archive, found, models)
        reset_sequences(models)
    call_command("migrate", interactive=False, verbosity=0)


def fill_files(archive: ZipFile, places: list[tuple[str, Path]]) -> None:
    for _, path in list(private_files()):
        path.unlink()
    for name, path in places:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read(name))


@contextlib.contextmanager
def opened(source: Path) -> Iterator[ZipFile]:
    try:
        archive = ZipFile(source)
    except OSError as error:
        raise ArchiveError(f"Cannot read {source}: {error.strerror}.") from error
    except BadZipFile as error:
        raise ArchiveError(f"{source} is no backup of Prefill: {error}.") from error
    with archive:
        yield archive


def check_alone() -> None:
    """Nobody else may use the database meanwhile; SQLite's folder has its lock.

    Our own pool may hold several connections, all with this process's name.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' "
            "AND application_name <> current_setting('application_name')"
        )
        (others,) = cursor.fetchone()
    if others:
        raise ArchiveError(
            "Somebody else is connected to the database: stop Prefill on every "
            "machine, web and workers, then run this again."
        )


def keep(now: datetime, options: Options) -> Path | None:
    """A copy of what is here; None when nothing is, or it is to go without."""
    newer = unknown(applied())
    if not newer and not is_used():
        return None
    if not options.replace:
        raise ArchiveError(
            "There is something here already, people or runs or private content. "
            "With --replace it gives way; a copy of it is kept."
        )
    if newer and not options.without_copy:
        app, name = newer[0]
        raise ArchiveError(
            "The database here is one of a newer Prefill, or of one with more extras "
            f"(it has the migration {app}.{name}), and this one cannot copy it. Run "
            "`manage.py backup FILE` with that one; then --replace --without-copy "
            "lets it give way."
        )
    return None if newer else copied(now)


def copied(now: datetime) -> Path:
    folder = settings.DATA_DIR / "before-restore"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = Path(folder / f"prefill-{now:%Y%m%dT%H%M%S}.zip")
    backup(copy, now)
    return copy


def is_used() -> bool:
    if not (migrations := applied()):
        return False
    ours = {
        app.label for app in apps.get_app_configs() if app.name.startswith("interview.")
    }
    models = [m for m in tables_of(migrations) if m._meta.app_label in ours]
    has_rows = any(model._base_manager.exists() for model in models)
    return has_rows or any(private_files())


def drop_tables() -> None:
    """Those of all migrations here; of unknown ones whatever has their app's name."""
    here = applied()
    newer = unknown(here)
    known = tables_of(migration for migration in here if migration not in newer)
    names = {model._meta.db_table for model in known}
    names.add(MigrationRecorder.Migration._meta.db_table)
    starts = tuple(f"{app}_" for app in {app for app, _ in here}) if newer else ()
    found = connection.introspection.table_names()
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.schema_editor() as editor:
        for name in found:
            if name in names or name.startswith(starts):
                editor.execute(f"DROP TABLE {editor.quote_name(name)}{cascade}")


def migrate_to(migrations: list[tuple[str, str]]) -> None:
    """An empty database to just these migrations."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    wanted = set(migrations)
    followed = {
        parent.key
        for key in wanted
        for parent in graph.node_map[key].parents
        if parent.key[0] == key[0]
    }
    executor.migrate(sorted(wanted - followed))


def load(archive: ZipFile, found: Manifest, models: list[type[Model]]) -> None:
    by_label = {model._meta.label: model for model in models}
    for table in found.tables:
        if table.model in WAYS_IN:  # Of a backup that still has them.
            continue
        with archive.open(table.name) as file:
            count = insert(by_label[table.model], table.columns, file)
        if count != table.rows:
            raise ArchiveError(f"{table.name} has {count} rows, not {table.rows}.")


def place(name: str) -> Path:
    """Where a file of the archive belongs here."""
    if name == PROFILES:
        return Path(settings.DATA_DIR / PROFILES)
    _, number, rest = name.split("/", 2)
    if int(number) >= len(settings.CONTENT_PATHS):
        raise ArchiveError(
            f"The backup has private content of {int(number) + 1} folders, and "
            f"CONTENT_PATHS names {len(settings.CONTENT_PATHS)}: name as many."
        )
    root = Path(settings.CONTENT_PATHS[int(number)])
    path = root / rest
    if not path.resolve().is_relative_to(root.resolve()):
        raise ArchiveError(f"{name} in the backup lies outside of its folder.")
    return path
