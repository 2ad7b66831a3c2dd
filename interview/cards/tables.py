"""Reads the TOML tables around the cards: words, terms, contents, sources, gone."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from interview.cards import rules
from interview.cards.manual import Contents, ContentsEntry, ManualPart
from interview.cards.problem import Notes, Place
from interview.cards.terms import Glossary, Term
from interview.cards.vocabulary import Fact, Vocabulary, Word

Table = dict[str, Any]
_KINDS = ("roles", "topics", "competences", "levels")


def read_toml(text: str, notes: Notes) -> Table:
    """The table, or an empty one with a note when the file is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # TOMLDecodeError has lineno only from Python 3.14 on.
        at = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        place = Place(int(at[1]), int(at[2])) if at else Place(1, 1)
        problem = str(error)[: at.start()] if at else str(error)
        _note(notes, place, problem)
        return {}


def read_vocabulary(text: str, notes: Notes) -> Vocabulary:
    table = read_toml(text, notes)
    for kind in table.keys() - set(_KINDS):
        _note(notes, place_of(kind, text), f"“{kind}” is no list of words")
    return Vocabulary(
        **{kind: _words(kind, table.get(kind, {}), text, notes) for kind in _KINDS}
    )


def _words(kind: str, table: object, text: str, notes: Notes) -> Mapping[str, Word]:
    if not isinstance(table, dict):
        _note(notes, place_of(kind, text), f"“{kind}” must be a table")
        return {}
    words = {}
    for slug, entry in table.items():
        entry = {"title": entry} if isinstance(entry, str) else entry
        title = _string(entry, "title", f"{kind}.{slug}", text, notes)
        words[slug] = Word(slug, title, str(entry.get("summary", "")))
    return words


def read_facts(text: str, notes: Notes) -> dict[str, Fact]:
    return {
        fact_id: Fact(
            fact_id,
            _string(entry, "says", fact_id, text, notes),
            _string(entry, "origin", fact_id, text, notes),
        )
        for fact_id, entry in _entries(text, notes)
    }


def read_terms(text: str, notes: Notes) -> Glossary:
    """Terms in the order of the file; `plain` lists abbreviations without an entry."""
    table = read_toml(text, notes)
    terms = {
        term_id: Term(
            term_id,
            _string(entry, "title", term_id, text, notes),
            _string(entry, "says", term_id, text, notes),
            tuple(entry.get("forms", ())) or (str(entry.get("title", "?")),),
            _string(entry, "see", term_id, text, notes),
        )
        for term_id, entry in table.items()
        if isinstance(entry, dict)
    }
    return Glossary(terms, frozenset(table.get("plain", ())))


def read_gone(text: str, notes: Notes) -> dict[str, str]:
    """Ids that left the content, with the reason."""
    return {
        item_id: _string(entry, "reason", item_id, text, notes)
        for item_id, entry in _entries(text, notes)
    }


def _entries(text: str, notes: Notes) -> list[tuple[str, Table]]:
    entries = []
    for name, entry in read_toml(text, notes).items():
        if isinstance(entry, dict):
            entries.append((name, entry))
        else:
            _note(notes, place_of(name, text), f"“{name}” must be a table")
    return entries


def read_contents(text: str, notes: Notes) -> Contents:
    table = read_toml(text, notes)
    parts = tuple(
        _part(part, text, notes)
        for part in table.get("part", ())
        if isinstance(part, dict)
    )
    return Contents(str(table.get("title", "")), str(table.get("edition", "")), parts)


def _part(part: Table, text: str, notes: Notes) -> ManualPart:
    number = _string(part, "number", "part", text, notes)
    title = _string(part, "title", number, text, notes)
    sections = tuple(_entry(e, text, notes) for e in part.get("section", ()))
    return ManualPart(number, title, sections)


def _entry(entry: Table, text: str, notes: Notes) -> ContentsEntry:
    number = _string(entry, "number", "section", text, notes)
    status = _string(entry, "status", number, text, notes)
    if status not in ("planned", "written"):
        problem = f"status “{status}” of {number} is neither planned nor written"
        _note(notes, place_of(number, text), problem)
    return ContentsEntry(
        number,
        _string(entry, "title", number, text, notes),
        _string(entry, "summary", number, text, notes),
        status == "written",
    )


def place_of(word: str, text: str) -> Place:
    """Where a key or a quoted value first stands; tomllib keeps no positions."""
    found = re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", text)
    if found is None:
        return Place(1, 1)
    start = found.start()
    return Place(text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))


def _string(entry: object, key: str, name: str, text: str, notes: Notes) -> str:
    value = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(value, str) or not value:
        _note(notes, place_of(name, text), f"“{name}” has no {key}")
        return ""
    return value


def _note(notes: Notes, place: Place, problem: str) -> None:
    notes.add(rules.BAD_TABLE, place, problem=problem.rstrip("."))
