"""The text of a file to rows that could be stored. Knows no database and no person."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from .columns import REQUIRED, Unreadable, shown
from .kinds import FORMAT, KINDS, PLANS, Kind
from .rules import RULES

MOST_BRACKETS = 1_000_000
MOST_COMMAS = 5_000_000
"""A small text of little more than these would fill the memory as lists."""
HOW = "Take the file that this page exports, or one written as docs/study-data.md says."


class NotRead(Exception):
    """The sentence says why nothing of the file can be used."""


@dataclass(frozen=True, slots=True)
class Row:
    place: str
    """In the file, such as `acts[17]`."""
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    place: str
    sentence: str
    """Goes on from the place."""


@dataclass(frozen=True, slots=True)
class Document:
    rows: Mapping[str, Sequence[Row]]
    """By the name of the kind."""
    problems: Sequence[Problem]


def read_text(content: bytes) -> str:
    """Raises NotRead for what is no text."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotRead(f"This is no JSON: it is not UTF-8 text. {HOW}") from error
    if "\0" in text:
        raise NotRead(f"This is no JSON: it holds the character NUL. {HOW}")
    brackets = text.count("{") + text.count("[")
    if brackets > MOST_BRACKETS or text.count(",") > MOST_COMMAS:
        raise NotRead("This has more lists and values than anybody’s practice.")
    return text


def read_study(text: str) -> Document:
    """Raises NotRead."""
    told = parsed(text)
    if not isinstance(told, dict):
        raise NotRead(f"This is no study file: its JSON is no object. {HOW}")
    if "format" not in told:
        raise NotRead(f"This is no study file: it has no “format”. {HOW}")
    if told["format"] != FORMAT:
        said = shown(told["format"])
        raise NotRead(f"Its “format” is not {FORMAT}: {said}. {HOW}")
    unknown = told.keys() - {kind.name for kind in KINDS} - {"format", "made_at"}
    if unknown:
        raise NotRead(
            f"It has {shown(min(unknown))}, which this Prefill does not know: update "
            "Prefill, or take that out."
        )
    rows: dict[str, list[Row]] = {}
    problems: list[Problem] = []
    for kind in KINDS:
        rows[kind.name] = read_kind(kind, entries_of(kind, told), problems)
    return Document(rows, problems)


def parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as wrong:
        raise NotRead(
            f"This is no JSON: {wrong.msg} in line {wrong.lineno}, column "
            f"{wrong.colno}. {HOW}"
        ) from wrong
    except RecursionError as wrong:
        said = "This is no study file: it is nested too deeply."
        raise NotRead(f"{said} {HOW}") from wrong
    except ValueError as wrong:
        raise NotRead(f"This is no JSON that can be read: {wrong}.") from wrong


def refuse(word: str) -> NoReturn:
    raise NotRead(f"It holds {word}, which is no number in JSON.")


def entries_of(kind: Kind, told: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Places and what stands there."""
    entries = told.get(kind.name)
    if entries is None:
        return []
    if kind is PLANS:
        return [(kind.name, entries)]
    if not isinstance(entries, list):
        raise NotRead(f"Its “{kind.name}” is no list: {shown(entries)}.")
    return [(f"{kind.name}[{at}]", entry) for at, entry in enumerate(entries)]


def read_kind(
    kind: Kind, entries: Sequence[tuple[str, Any]], problems: list[Problem]
) -> list[Row]:
    """The readable ones; the others are noted."""
    rows: list[Row] = []
    taken: dict[Any, str] = {}
    for place, entry in entries:
        try:
            row = Row(place, read_row(kind, place, entry))
            key = tuple(row.values[name] for name in kind.key)
            if key in taken:
                raise Misplaced(place, f"is there already, as {taken[key]}")
        except Misplaced as wrong:
            problems.append(Problem(wrong.place, wrong.sentence))
        else:
            taken[key] = place
            rows.append(row)
    return rows


class Misplaced(Exception):
    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(place, sentence)
        self.place, self.sentence = place, sentence


def read_row(kind: Kind, place: str, entry: Any) -> dict[str, Any]:
    """Raises Misplaced."""
    if not isinstance(entry, dict):
        raise Misplaced(place, f"is no object: {shown(entry)}")
    values: dict[str, Any] = {}
    for column in kind.columns:
        value = entry.get(column.name, column.default)
        if value is REQUIRED:
            raise Misplaced(place, f"has no “{column.name}”")
        try:
            values[column.name] = column.read(value)
        except Unreadable as wrong:
            raise Misplaced(f"{place}.{column.name}", str(wrong)) from wrong
    unknown = entry.keys() - values.keys()
    if unknown:
        said = f"has {shown(min(unknown))}, which this Prefill does not know"
        raise Misplaced(place, said)
    try:
        for rule in RULES.get(kind.name, ()):
            rule(values)
    except Unreadable as wrong:
        raise Misplaced(place, str(wrong)) from wrong
    return values
