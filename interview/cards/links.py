"""Where links in content lead: card:ID, manual:1.3, term:ID, #id, https and more."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Protocol

from interview.cards.card import Card
from interview.cards.experiment import Experiment
from interview.cards.manual import Contents
from interview.cards.terms import Glossary

KINDS = ("card", "manual", "experiment", "term")


class Places(Protocol):
    """What a link can lead to; a Library and a Shelf are such."""

    @property
    def cards(self) -> Mapping[str, Card]: ...
    @property
    def contents(self) -> Contents: ...
    @property
    def experiments(self) -> Mapping[str, Experiment]: ...
    @property
    def glossary(self) -> Glossary: ...


class State(StrEnum):
    READY = auto()
    PLANNED = auto()
    MISSING = auto()


@dataclass(frozen=True, slots=True)
class Target:
    kind: str
    """One of KINDS, or "page" for #id, "web" for https, "bad" for all else."""
    id: str
    state: State = State.READY


def target(href: str, places: Places) -> Target:
    kind, colon, name = href.partition(":")
    if kind in KINDS and colon:
        return Target(kind, name, _state(kind, name, places))
    if href.startswith("#") and len(href) > 1:
        return Target("page", href[1:])
    if kind == "https":
        return Target("web", href)
    if kind == "http":
        return Target("web", href, State.MISSING)
    return Target("bad", href, State.MISSING)


def _state(kind: str, name: str, places: Places) -> State:
    if kind == "card":
        return State.READY if name in places.cards else State.MISSING
    if kind == "term":
        return State.READY if name in places.glossary.terms else State.MISSING
    entry = (
        places.contents.entry(name)
        if kind == "manual"
        else places.experiments.get(name)
    )
    if entry is None:
        return State.MISSING
    return State.READY if entry.written else State.PLANNED
