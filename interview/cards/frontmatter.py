"""Front matter: YAML read as text with positions, without YAML's tricks.

Only `key: text` and `key: [text, …]` exist; 2026.10 stays "2026.10".
"""

import re
from collections.abc import Iterator
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


@dataclass(frozen=True, slots=True)
class Document:
    entries: dict[str, Entry]
    body: str
    body_line: int


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
    entries: dict[str, Entry] = {}
    try:
        events = yaml.parse(source, Loader=_LOADER)
        for entry in _read_mapping(_plain(events, notes), notes):
            key = entry.key.value
            if key in entries:
                first = entries[key].key.place.line
                notes.add(rules.DUPLICATE_KEY, entry.key.place, key=key, first=first)
            entries.setdefault(key, entry)
    except _Refused:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        notes.add(rules.BAD_YAML, _place(mark), problem=error.problem or "bad YAML")
        return None
    except yaml.YAMLError:
        notes.add(rules.BAD_YAML, Place(1, 1), problem="it holds a control character")
        return None
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


def _read_mapping(events: Iterator[yaml.Event], notes: Notes) -> Iterator[Entry]:
    first = next(events, None)
    if first is None:
        return
    if not isinstance(first, yaml.MappingStartEvent):
        _refuse(first, notes, "it does not start with a key")
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            return
        if not isinstance(event, yaml.ScalarEvent):
            _refuse(event, notes, "a key is not a word")
        yield _read_entry(Text(event.value, _place(event.start_mark)), events, notes)


def _read_entry(key: Text, events: Iterator[yaml.Event], notes: Notes) -> Entry:
    event = next(events)
    place = _place(event.start_mark)
    if isinstance(event, yaml.ScalarEvent):
        value = Text(event.value.strip(), place)
        return Entry(key, (value,) if value.value else (), place, listed=False)
    if isinstance(event, yaml.AliasEvent):
        return Entry(key, (), place, listed=False)
    if not isinstance(event, yaml.SequenceStartEvent):
        _refuse(event, notes, f"“{key.value}” holds keys of its own")
    values = []
    for item in events:
        if isinstance(item, yaml.SequenceEndEvent):
            break
        if isinstance(item, yaml.AliasEvent):
            continue
        if not isinstance(item, yaml.ScalarEvent):
            _refuse(item, notes, f"“{key.value}” holds a list in a list")
        values.append(Text(item.value.strip(), _place(item.start_mark)))
    return Entry(key, tuple(values), place, listed=True)


def _refuse(event: yaml.Event, notes: Notes, problem: str) -> NoReturn:
    notes.add(rules.BAD_YAML, _place(event.start_mark), problem=problem)
    raise _Refused
