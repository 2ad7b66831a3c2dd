"""Writes the archive, as one moment of the database, while others go on writing."""

import contextlib
import hashlib
import os
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import connection
from django.db.models import Model

from interview.web.prepared import is_there, place
from interview.web.snapshot import snapshot

from . import manifest
from .errors import ArchiveError
from .manifest import Entry, Manifest, Table
from .rows import applied, fields_of, kept, lines, tables_of

PROFILES = "profiles.toml"


def backup(target: Path, now: datetime) -> Manifest:
    """Write `target`, whole as soon as it is there, and never over another file."""
    if target.exists():
        raise ArchiveError(f"{target} is there already: name a new file.")
    if not (is_there() and applied()):
        raise ArchiveError(
            f"There is nothing to keep: the database {place()} has no tables of "
            "Prefill. Set PREFILL_DATA and DATABASE_URL (or DATABASE_URL_FILE) as the "
            "running Prefill has them."
        )
    part = target.with_name(f"{target.name}.part")
    with private(part) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        with snapshot():
            migrations = applied()
            tables = [write_table(archive, m) for m in kept(tables_of(migrations))]
        made = Manifest(
            version=version(),
            made_at=now.isoformat(),
            database=connection.vendor,
            migrations=migrations,
            tables=tables,
            files=[write_file(archive, name, at) for name, at in private_files()],
        )
        archive.writestr(manifest.NAME, made.to_json())
    part.replace(target)
    return made


@contextlib.contextmanager
def private(path: Path) -> Iterator[IO[bytes]]:
    """A new file that its owner alone can read; gone when the work fails."""
    flags = os.O_CREAT | os.O_TRUNC | os.O_RDWR
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            said = f"Cannot write {path}: {error.strerror}."
            raise ArchiveError(said) from error
        raise


def write_table(archive: ZipFile, model: type[Model]) -> Table:
    name = f"tables/{model._meta.label}.jsonl"
    digest, rows = hashlib.sha256(), 0
    with archive.open(name, "w", force_zip64=True) as file:
        for line in lines(model):
            digest.update(line)
            file.write(line)
            rows += 1
    columns = [str(field.column) for field in fields_of(model)]
    return Table(name, digest.hexdigest(), model._meta.label, columns, rows)


def write_file(archive: ZipFile, name: str, path: Path) -> Entry:
    content = path.read_bytes()
    archive.writestr(name, content)
    return Entry(name, hashlib.sha256(content).hexdigest())


def private_files() -> Iterator[tuple[str, Path]]:
    """Name in the archive and place of each file that is only here."""
    for number, root in enumerate(settings.CONTENT_PATHS):
        for path in sorted(root.rglob("*")):
            if path.is_file():
                yield f"content/{number}/{path.relative_to(root).as_posix()}", path
    profiles = settings.DATA_DIR / PROFILES
    if profiles.is_file():
        yield PROFILES, profiles


def version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    return str(project["project"]["version"])
