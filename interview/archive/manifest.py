"""What an archive says of itself, and whether it holds what it says."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import IO, Self
from zipfile import BadZipFile, ZipFile

from .errors import ArchiveError

FORMAT = "prefill-backup/1"
NAME = "manifest.json"
PORTION = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    """Its path in the archive."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Table(Entry):
    """Lines of JSON arrays: one row each, its cells in the order of `columns`."""

    model: str
    """app.Model"""
    columns: list[str]
    rows: int


@dataclass(frozen=True, slots=True)
class Manifest:
    version: str
    """Of Prefill."""
    made_at: str
    database: str
    migrations: list[tuple[str, str]]
    """App and name of all that had been applied."""
    tables: list[Table]
    files: list[Entry]
    """Private content and profiles."""

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT} | asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        said = json.loads(text)
        if said.pop("format") != FORMAT:
            raise ArchiveError("This backup was made by a newer Prefill: update first.")
        said["migrations"] = [(app, name) for app, name in said["migrations"]]
        said["tables"] = [Table(**table) for table in said["tables"]]
        said["files"] = [Entry(**file) for file in said["files"]]
        return cls(**said)


def read(archive: ZipFile) -> Manifest:
    """The manifest of an archive that is whole; raises ArchiveError."""
    try:
        manifest = Manifest.from_json(archive.read(NAME))
        check([*manifest.tables, *manifest.files], archive)
    except (KeyError, ValueError, TypeError, BadZipFile) as error:
        raise ArchiveError(f"This is no whole backup of Prefill: {error}") from error
    return manifest


def check(entries: Iterable[Entry], archive: ZipFile) -> None:
    for entry in entries:
        with archive.open(entry.name) as file:
            if sha256_of(file) != entry.sha256:
                raise ArchiveError(f"{entry.name} in the backup was changed or broken.")


def sha256_of(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while portion := file.read(PORTION):
        digest.update(portion)
    return digest.hexdigest()
