"""What this content asks of its texts: house.toml, and what lies beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interview.cards import rules
from interview.cards.enginenames import EngineNames, read_engine
from interview.cards.problem import Notes, Place, Problem
from interview.cards.tables import read_toml

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class House:
    """Without a house.toml nothing of it is asked."""

    words: Mapping[str, Range] = field(default_factory=dict)
    """The least and the most words of a short_answer, a full_answer, a section."""
    least_expected: int = 0
    """The least words of an expected answer."""
    reviewed: bool = False
    """Published cards need a review of their text."""
    names: EngineNames = field(default_factory=EngineNames)


def load_house(
    root: Path, drafts: Mapping[Path, str], problems: list[Problem]
) -> House:
    """The house.toml and engine.toml of a content folder."""
    path = root / "house.toml"
    notes = Notes(path.as_posix())
    table = read_toml(read_or_empty(path, drafts), notes)
    words = table.get("words", {})
    ranges = {key: _range(key, value, notes) for key, value in words.items()}
    path = root / "engine.toml"
    found = Notes(path.as_posix())
    names = read_engine(read_or_empty(path, drafts), table.get("others", ()), found)
    problems.extend([*notes.problems, *found.problems])
    return House(
        words=ranges,
        least_expected=int(table.get("least_expected", 0)),
        reviewed=table.get("reviewed") is True,
        names=names,
    )


def read_or_empty(path: Path, drafts: Mapping[Path, str]) -> str:
    if path in drafts:
        return drafts[path]
    return path.read_text(encoding="utf-8-sig") if path.is_file() else ""


def _range(key: str, value: object, notes: Notes) -> Range:
    match value:
        case [int(low), int(high)] if low <= high:
            return low, high
    problem = f"“{key}” is no list of the least and the most words"
    notes.add(rules.BAD_TABLE, Place(1, 1), problem=problem)
    return 0, 10**9
