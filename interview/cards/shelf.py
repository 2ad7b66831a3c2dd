"""Reads all files of the content roots; knows nothing of pages or of search.

The first root is the repository's content, which everybody can read; the others are
private to the installation, and their cards are kit-only unless they say otherwise.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from interview.cards import rules, tables
from interview.cards.card import Card
from interview.cards.cardfile import read_card
from interview.cards.experiment import Experiment
from interview.cards.experimentfile import read_experiment
from interview.cards.frontmatter import place_in
from interview.cards.manual import Contents, ManualSection
from interview.cards.manualfile import read_section
from interview.cards.problem import Notes, Place, Problem
from interview.cards.results import ResultSet, read_results
from interview.cards.terms import Glossary
from interview.cards.vocabulary import Fact, Vocabulary

# Path, time of last change in ns, size in bytes; of every file, sorted.
Signature = tuple[tuple[str, int, int], ...]

_FILES = ("cards/**/*.md", "manual/*/*.md", "experiments/*.md", "results/*.csv")
_TABLES = (
    "vocabulary.toml",
    "terms.toml",
    "sources.toml",
    "gone.toml",
    "manual/contents.toml",
)


class _Item(Protocol):
    @property
    def path(self) -> str: ...


@dataclass(slots=True)
class Shelf:
    """What the files hold, and what is wrong with them one by one."""

    cards: dict[str, Card] = field(default_factory=dict)
    sections: dict[str, ManualSection] = field(default_factory=dict)
    experiments: dict[str, Experiment] = field(default_factory=dict)
    results: dict[str, ResultSet] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)
    glossary: Glossary = field(default_factory=Glossary)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    contents: Contents = field(default_factory=lambda: Contents("", "", ()))
    problems: list[Problem] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """The text of each TOML table by path, to find positions in."""
    broken: set[str] = field(default_factory=set)
    """Paths of the files that could not be read."""

    def is_broken(self, item_id: str) -> bool:
        """Whether a file that should hold this id could not be read."""
        return any(Path(path).stem == item_id for path in self.broken)


def files(roots: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """Every content file with the number of its root; in order, hidden ones not."""
    for number, root in enumerate(roots):
        for pattern in _FILES:
            for path in sorted(root.glob(pattern)):
                if not path.name.startswith((".", "README")):
                    yield path, number
        for name in _TABLES:
            if (root / name).is_file():
                yield root / name, number


def signature(roots: Sequence[Path]) -> Signature:
    """Changes when any file does; a folder that isn't there has no files."""
    return tuple(sorted(found for root in roots for found in _stamps(root)))


def _stamps(folder: Path | str) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir():
                    yield from _stamps(entry.path)
                else:
                    stat = entry.stat()
                    yield entry.path, stat.st_mtime_ns, stat.st_size
    except OSError:
        return  # removed while we looked, or closed to us; reading says which


def fill(roots: Sequence[Path], drafts: Mapping[Path, str] | None = None) -> Shelf:
    """Read all files; a draft stands for the file at its path, there or not."""
    shelf = Shelf()
    drafts = drafts or {}
    found = dict(files(roots)) | {
        path: number
        for path in drafts
        for number, root in enumerate(roots)
        if path.is_relative_to(root)
    }
    for path, root in found.items():
        notes = Notes(path.as_posix())
        text = drafts[path] if path in drafts else _text(path, notes)
        if text is not None:
            _shelve(shelf, path.relative_to(roots[root]), text, notes, root > 0)
        if notes.broken:
            shelf.broken.add(notes.path)
        shelf.problems.extend(notes.problems)
    return shelf


def _text(path: Path, notes: Notes) -> str | None:
    try:
        # utf-8-sig: editors on Windows may start a file with a byte order mark.
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        problem = "it is not UTF-8 text"
    except OSError as error:
        problem = error.strerror or str(error)
    notes.add(rules.UNREADABLE, Place(1, 1), problem=problem)
    return None


def _shelve(shelf: Shelf, inside: Path, text: str, notes: Notes, private: bool) -> None:
    """Read one file by the folder it lies in, and put what it holds on the shelf."""
    match inside.parts:
        case ("cards", *_):
            if card := read_card(text, notes, private=private):
                place = partial(place_in, text, "id", card.id)
                _check_name(card.id, inside, place, notes)
                _put(shelf.cards, card.id, card, place, notes)
        case ("manual", _, _):
            if section := read_section(text, notes):
                place = partial(place_in, text, "number", section.number)
                _put(shelf.sections, section.number, section, place, notes)
        case ("experiments", _):
            if experiment := read_experiment(text, notes):
                place = partial(place_in, text, "id", experiment.id)
                _check_name(experiment.id, inside, place, notes)
                _put(shelf.experiments, experiment.id, experiment, place, notes)
        case ("results", _):
            if results := read_results(inside.stem, text, notes):
                _put(shelf.results, inside.stem, results, lambda: Place(1, 1), notes)
        case _:
            shelf.texts[notes.path] = text
            _READERS[inside.name](shelf, text, notes)


def _check_name(
    item_id: str, inside: Path, place: Callable[[], Place], notes: Notes
) -> None:
    if item_id != inside.stem:
        notes.add(rules.ID_DIFFERS, place(), id=item_id, name=inside.name)


def _put[T: _Item](
    into: dict[str, T], item_id: str, item: T, place: Callable[[], Place], notes: Notes
) -> None:
    if notes.broken:
        return
    if item_id in into:
        first = into[item_id].path
        notes.add(rules.DUPLICATE_ID, place(), id=item_id, first=first)
    else:
        into[item_id] = item


def _read_vocabulary(shelf: Shelf, text: str, notes: Notes) -> None:
    found, more = shelf.vocabulary, tables.read_vocabulary(text, notes)
    shelf.vocabulary = Vocabulary(
        roles={**found.roles, **more.roles},
        topics={**found.topics, **more.topics},
        competences={**found.competences, **more.competences},
        levels={**found.levels, **more.levels},
    )


def _read_terms(shelf: Shelf, text: str, notes: Notes) -> None:
    found, more = shelf.glossary, tables.read_terms(text, notes)
    terms = {**found.terms, **more.terms}
    shelf.glossary = Glossary(terms, found.plain | more.plain)


def _read_facts(shelf: Shelf, text: str, notes: Notes) -> None:
    for fact_id, fact in tables.read_facts(text, notes).items():
        if fact_id in shelf.facts:
            place = tables.place_of(fact_id, text)
            words = {"id": fact_id, "first": "another sources.toml"}
            notes.add(rules.DUPLICATE_ID, place, **words)
        shelf.facts.setdefault(fact_id, fact)


def _read_gone(shelf: Shelf, text: str, notes: Notes) -> None:
    shelf.gone.update(tables.read_gone(text, notes))


def _read_contents(shelf: Shelf, text: str, notes: Notes) -> None:
    if not shelf.contents.parts:
        shelf.contents = tables.read_contents(text, notes)


_READERS: dict[str, Callable[[Shelf, str, Notes], None]] = {
    "vocabulary.toml": _read_vocabulary,
    "terms.toml": _read_terms,
    "sources.toml": _read_facts,
    "gone.toml": _read_gone,
    "contents.toml": _read_contents,
}
