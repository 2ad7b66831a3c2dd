"""Everything of study of one person as one JSON document, written row by row."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any

from interview.accounts.models import User
from interview.web.snapshot import snapshot

from .columns import Column, written
from .kinds import FORMAT, KINDS, PLANS, Kind

AT_ONCE = 1000
"""Rows in memory."""


def write_study(person: User, now: datetime, file: IO[bytes]) -> None:
    with snapshot():
        for piece in pieces(person, now):
            file.write(piece.encode())


def pieces(person: User, now: datetime) -> Iterator[str]:
    yield f'{{"format": "{FORMAT}",\n"made_at": "{written(now)}"'
    for kind in KINDS:
        rows = rows_of(kind, person)
        yield f',\n"{kind.name}": '
        if kind is PLANS:
            yield next(rows, "null")
        else:
            yield from listed(rows)
    yield "}\n"


def listed(rows: Iterator[str]) -> Iterator[str]:
    """A list with one row on a line, so that a place in the file can be found."""
    yield "["
    before = "\n"
    for row in rows:
        yield before + row
        before = ",\n"
    yield "]"


def rows_of(kind: Kind, person: User) -> Iterator[str]:
    found = kind.of(person).values_list(*kind.paths)
    for values in found.iterator(chunk_size=AT_ONCE):
        row = row_of(kind.columns, values)
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def row_of(columns: tuple[Column, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    """Without what has the default of its column, which is what a reader takes."""
    return {
        column.name: written(value)
        for column, value in zip(columns, values, strict=True)
        if value != column.default
    }
