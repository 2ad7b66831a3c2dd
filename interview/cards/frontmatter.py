"""Front matter: YAML read as text with positions, without YAML's tricks.

Only `key: text`, `key: [text, …]` and `key: [{key: text, …}, …]` exist; 2026.10
stays "2026.10".
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn, Protocol

import yaml

from interview.cards import rules
from interview.cards.problem import Notes, Place

# libyaml's parser where the wheel has it: ten times faster, same events.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FENCED = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?\n)??---[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Text:
    value: str
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its values; a single value is a list of one."""

    key: Text
    values: tuple[Text, ...]
    place: Place
    listed: bool
    rows: tuple["Row", ...] = ()
    """The items of its list that hold keys of their own."""


@dataclass(frozen=True, slots=True)
class Row:
    """Keys with one value each, as one item of a list."""

    entries: dict[str, Entry]
    place: Place


@dataclass(frozen=True, slots=True)
class Document:
    entries: dict[str, Entry]
    body: str
    body_line: int

    @property
    def place(self) -> Place:
        """Where to say that a key is missing."""
        return Place(1, 1)


type _Events = Iterator[yaml.Event]
type _ReadEntry = Callable[[Text, _Events, Notes], Entry]


class _Refused(Exception):
    """The event stream holds what front matter may not hold."""


def read(text: str, notes: Notes) -> Document | None:
    """Split a file into front matter and body; None when it can't be read."""
    fenced = _FENCED.match(text)
    if fenced is None:
        notes.add(rules.NO_FRONT_MATTER, Place(1, 1))
        return None
    source = fenced["yaml"] or ""
    entries = _entries(source, notes)
    if entries is None:
        return None
    body_line = text.count("\n", 0, fenced.end()) + 1
    return Document(entries, text[fenced.end() :], body_line)


def place_in(text: str, key: str, word: str) -> Place:
    """Where a value of a key stands in the front matter of a file that was read."""
    start = text.find(f"\n{key}:") + 1
    line = text[start : text.find("\n", start)]
    found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line[len(key) :])
    column = found.start() + len(key) + 1 if found else 1
    return Place(text.count("\n", 0, start) + 1, column)


def _entries(source: str, notes: Notes) -> dict[str, Entry] | None:
    try:
        events = _plain(yaml.parse(source, Loader=_LOADER), notes)
        first = next(events, None)
        if first is None:
            return {}
        if not isinstance(first, yaml.MappingStartEvent):
            _refuse(first, notes, "it does not start with a key")
        return _by_key(_read_mapping(events, notes, _read_entry), notes)
    except _Refused:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        notes.add(rules.BAD_YAML, _place(mark), problem=error.problem or "bad YAML")
        return None
    except yaml.YAMLError:
        notes.add(rules.BAD_YAML, Place(1, 1), problem="it holds a control character")
        return None


def _by_key(found: Iterable[Entry], notes: Notes) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for entry in found:
        key = entry.key.value
        if key in entries:
            first = entries[key].key.place.line
            notes.add(rules.DUPLICATE_KEY, entry.key.place, key=key, first=first)
        entries.setdefault(key, entry)
    return entries


class _Mark(Protocol):
    """Where libyaml or PyYAML found something; both numbers count from 0."""

    line: int
    column: int


def _place(mark: _Mark | None) -> Place:
    # The first line of the file is the --- before the YAML.
    return Place(mark.line + 2, mark.column + 1) if mark else Place(1, 1)


def _plain(events: Iterator[yaml.Event], notes: Notes) -> Iterator[yaml.Event]:
    """The events without the stream's frame; anchors, aliases, tags are noted."""
    for event in events:
        if isinstance(event, yaml.NodeEvent):
            _note_tricks(event, notes)
            yield event
        elif isinstance(event, yaml.CollectionEndEvent):
            yield event


def _note_tricks(event: yaml.NodeEvent, notes: Notes) -> None:
    tag = getattr(event, "tag", None)
    if event.anchor or tag:
        alias = isinstance(event, yaml.AliasEvent)
        trick = "alias" if alias else "anchor" if event.anchor else "tag"
        notes.add(rules.YAML_TRICK, _place(event.start_mark), trick=trick)


def _read_mapping(events: _Events, notes: Notes, read: _ReadEntry) -> Iterator[Entry]:
    """The entries of a mapping whose start has been read, to its end."""
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            return
        if not isinstance(event, yaml.ScalarEvent):
            _refuse(event, notes, "a key is not a word")
        yield read(Text(event.value, _place(event.start_mark)), events, notes)


def _read_entry(key: Text, events: _Events, notes: Notes) -> Entry:
    event = next(events)
    place = _place(event.start_mark)
    if not isinstance(event, yaml.SequenceStartEvent):
        return _single(key, event, notes)
    values, rows = [], []
    for item in events:
        start = _place(item.start_mark)
        if isinstance(item, yaml.SequenceEndEvent):
            break
        if isinstance(item, yaml.ScalarEvent):
            values.append(Text(item.value.strip(), start))
        elif isinstance(item, yaml.MappingStartEvent):
            entries = _by_key(_read_mapping(events, notes, _read_value), notes)
            rows.append(Row(entries, start))
        elif not isinstance(item, yaml.AliasEvent):
            _refuse(item, notes, f"“{key.value}” holds a list in a list")
    return Entry(key, tuple(values), place, listed=True, rows=tuple(rows))


def _read_value(key: Text, events: _Events, notes: Notes) -> Entry:
    """An entry of a row, which holds one value."""
    event = next(events)
    if isinstance(event, yaml.SequenceStartEvent):
        _refuse(event, notes, f"“{key.value}” is a list inside the item of a list")
    return _single(key, event, notes)


def _single(key: Text, event: yaml.Event, notes: Notes) -> Entry:
    place = _place(event.start_mark)
    if isinstance(event, yaml.ScalarEvent):
        value = Text(event.value.strip(), place)
        return Entry(key, (value,) if value.value else (), place, listed=False)
    if isinstance(event, yaml.AliasEvent):
        return Entry(key, (), place, listed=False)
    _refuse(event, notes, f"“{key.value}” holds keys of its own")


def _refuse(event: yaml.Event, notes: Notes, problem: str) -> NoReturn:
    notes.add(rules.BAD_YAML, _place(event.start_mark), problem=problem)
    raise _Refused
