"""Measured numbers: the CSV files in results/, with what is known of their making."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from interview.cards import rules
from interview.cards.problem import Notes, Place

REQUIRED = ("engine", "commit", "date", "machine", "model", "seeds")


class NoSuchResult(LookupError):
    """The sentence says which column or row is missing."""


@dataclass(frozen=True, slots=True)
class ResultSet:
    """Numbers keep the digits of the file: the text "32.3" is "32.3" on the page."""

    id: str
    about: Mapping[str, str]
    """Engine, commit, date, machine, model, seeds; title, note, spread where given."""
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    """Cells by column; an empty cell is a missing number."""
    path: str

    def text(self, column: str, **where: str) -> str:
        """The one number with these cells, for example `users="64"`.

        Raises NoSuchResult when there is no such column, not one such row, or no
        number in it.
        """
        for name in (column, *where):
            if name not in self.columns:
                raise NoSuchResult(f"{self.id} has no column {name}")
        rows = [r for r in self.rows if all(r[k] == v for k, v in where.items())]
        named = " ".join(f"{key}={value}" for key, value in where.items())
        if len(rows) != 1:
            count = len(rows) or "no"
            raise NoSuchResult(f"{self.id} has {count} rows with {named or 'that'}")
        if not rows[0][column]:
            raise NoSuchResult(f"{column} is missing in the row with {named}")
        return rows[0][column]

    def number(self, column: str, **where: str) -> Decimal:
        return Decimal(self.text(column, **where))

    def series(self, column: str) -> list[Decimal | None]:
        """One column in row order; None where the cell is empty."""
        return [Decimal(row[column]) if row[column] else None for row in self.rows]


def read_results(set_id: str, text: str, notes: Notes) -> ResultSet | None:
    about: dict[str, str] = {}
    table: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon:
                about[key.strip()] = value.strip()
        elif line.strip():
            table.append((number, line))
    for key in REQUIRED:
        if not about.get(key):
            _note(notes, Place(1, 1), f"the line `# {key}: …` is missing")
    rows = _rows(table, notes)
    if notes.broken or not rows:
        return None
    return ResultSet(set_id, about, tuple(rows[0]), tuple(rows), notes.path)


def _rows(table: list[tuple[int, str]], notes: Notes) -> list[dict[str, str]]:
    if len(table) < 2:
        _note(notes, Place(1, 1), "it has no rows")
        return []
    lines = list(csv.reader(line for _, line in table))
    columns = [name.strip() for name in lines[0]]
    rows = []
    for (number, _), cells in zip(table[1:], lines[1:], strict=True):
        if len(cells) != len(columns):
            problem = f"{len(cells)} cells under {len(columns)} columns"
            _note(notes, Place(number, 1), problem)
            continue
        row = dict(zip(columns, (cell.strip() for cell in cells), strict=True))
        for column, cell in row.items():
            if not _is_number(cell):
                _note(notes, Place(number, 1), f"“{cell}” in {column} is no number")
        rows.append(row)
    return rows


def _is_number(cell: str) -> bool:
    try:
        return not cell or Decimal(cell).is_finite()
    except InvalidOperation:
        return False


def _note(notes: Notes, place: Place, problem: str) -> None:
    notes.add(rules.BAD_RESULTS, place, problem=problem)
