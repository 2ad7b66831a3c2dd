"""The grades of one person as CSV, one a line, for a spreadsheet or a plot."""

import csv
import io
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any
from uuid import UUID

from interview.accounts.models import User
from interview.cards.card import Audience
from interview.cards.library import Library
from interview.web.cells import safe_cell
from interview.web.snapshot import snapshot

from ..models import Act
from .columns import written

# Column of the file -> where its value is.
COLUMNS = {
    "act": "id",
    "at": "at",
    "card": "card_id",
    "rung": "rung_id",
    "title": "card_id",
    "grade": "grade",
    "confidence": "confidence",
    "took_ms": "took_ms",
    "session": "session_id",
    "session_kind": "session__kind",
    "position": "step__position",
    "turn": "turn",
    "retention": "retention",
    "zone": "zone",
    "last_day": "last_day",
    "item_hash": "item_hash",
    "card_version": "card_version",
    "undone_at": "undone_by__at",
}
AT_ONCE = 1000


def write_reviews(person: User, content: Library, file: IO[bytes]) -> None:
    """UTF-8, with a header line."""
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    with snapshot():
        for row in rows(person, content):
            writer.writerow([safe_cell(cell) for cell in row])
    text.detach()


def rows(person: User, content: Library) -> Iterator[list[Any]]:
    """Taken back ones too, oldest first; missing values are empty."""
    titles = {c.id: c.title_text for c in content.listed(Audience.CANDIDATE)}
    graded = Act.objects.of(person).grades().in_order()
    for values in graded.values_list(*COLUMNS.values()).iterator(chunk_size=AT_ONCE):
        row = dict(zip(COLUMNS, values, strict=True))
        row["title"] = titles.get(row["card"], "")
        yield [cell(value) for value in row.values()]


def cell(value: Any) -> Any:
    if value is None:
        return ""
    return written(value) if isinstance(value, datetime | UUID) else value
