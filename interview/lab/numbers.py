"""What each number of the lab means: formula, origin, what spoils it.

The texts are in numbers.toml, as Markdown; this reads them and knows no page.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from interview.measure.notes import NOTES

FILE = Path(__file__).with_name("numbers.toml")
WORDS = (
    ("ttft", "TTFT"),
    ("itl", "ITL"),
    ("tpot", "TPOT, time per output token"),
    ("e2e", "E2E ends at"),
    ("tokens", "N, output tokens"),
    ("output", "Output per second"),
    ("percentiles", "Percentiles"),
    ("stamps", "Stamps of events"),
    ("clock", "Clock"),
)
"""The words that tools use for different things: keys of a [[tool]], and titles."""


@dataclass(frozen=True, slots=True)
class Number:
    id: str
    """Its anchor on the page."""
    name: str
    full: str
    """Its name in full; empty when the short one says it."""
    keys: tuple[str, ...]
    """The fields of a report (prefill-measure/1) that it explains."""
    formula: str
    origin: str
    """Which clock, which event, which field or metric of the server."""
    spoils: str
    more: str

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Self:
        """Raises TypeError for a key that no number has."""
        given = {"full": "", "more": "", **entry, "keys": tuple(entry.get("keys", ()))}
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Group:
    id: str
    title: str
    says: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A note that a result can carry."""

    code: str
    sentence: str
    advice: str
    """What it does to the numbers, and what to do."""

    @property
    def anchor(self) -> str:
        return f"note-{self.code}"


@dataclass(frozen=True, slots=True)
class Definition:
    """One word as each tool means it, in the order of `Numbers.tools`."""

    word: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    groups: tuple[Group, ...]
    notes: tuple[Note, ...]
    """Every code, in the order of the measurement's own list."""
    tools: tuple[str, ...]
    definitions: tuple[Definition, ...]

    def texts(self) -> Iterator[str]:
        """All Markdown, in the order of the page."""
        for group in self.groups:
            yield group.says
            for number in group.numbers:
                yield from (number.formula, number.origin, number.spoils, number.more)
        for note in self.notes:
            yield note.advice
        for definition in self.definitions:
            yield from definition.cells


@lru_cache(maxsize=1)
def numbers() -> Numbers:
    """Read once: the file changes with the program."""
    return numbers_of(tomllib.loads(FILE.read_text(encoding="utf-8")))


def numbers_of(document: Mapping[str, Any]) -> Numbers:
    """Raises KeyError for a note without a text, ValueError for a text without one."""
    tools, advice = document["tool"], document["notes"]
    if unknown := advice.keys() - NOTES.keys():
        raise ValueError(f"No result carries the note {min(unknown)}.")
    return Numbers(
        groups=tuple(
            Group(
                group["id"],
                group["title"],
                group["says"],
                tuple(map(Number.of, group["number"])),
            )
            for group in document["group"]
        ),
        notes=tuple(
            Note(code, sentence, advice[code]) for code, sentence in NOTES.items()
        ),
        tools=tuple(tool["name"] for tool in tools),
        definitions=tuple(
            Definition(title, tuple(tool[key] for tool in tools))
            for key, title in WORDS
        ),
    )
