"""A pack against what is here: what it would add, change or leave as it is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Self

from interview.cards.card import Card
from interview.cards.cardfile import read_card
from interview.cards.problem import Notes, Problem, Severity

from ..errors import BankError, Changed
from ..models import Pack
from .draft import UNUSED, id_refusal, lint
from .folder import Folder, OwnFile
from .linediff import Line, line_diff

TWICE = "Two files of the pack have this id."
CHANGED = "Nothing was imported: cards changed since this was shown. Look once more."
REFUSED = "Nothing is imported while a card of the pack is refused."

type Errors = Sequence[Mapping[str, Any]]
"""Each as `Problem.as_json` tells it."""


class Refused(BankError):
    """A card of the pack is; nothing of it was imported."""


class Kind(StrEnum):
    REFUSED = "refused"
    NEW = "new"
    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Compared:
    """One file of a pack."""

    name: str
    text: str
    card: Card | None
    own: OwnFile | None
    """What it replaces."""
    reason: str
    """Why it is refused whatever it holds, or ""."""
    errors: Errors

    @property
    def kind(self) -> Kind:
        if self.reason or self.card is None:
            return Kind.REFUSED
        if self.errors and self.card.status not in UNUSED:
            return Kind.REFUSED
        if self.own is None:
            return Kind.NEW
        return Kind.SAME if self.own.text == self.text else Kind.CHANGED

    @property
    def lines(self) -> Sequence[Line]:
        return line_diff(self.own.text, self.text) if self.own else ()


@dataclass(frozen=True, slots=True)
class Comparison:
    files: Sequence[Compared]

    @classmethod
    def of(cls, pack: Pack, folder: Folder) -> Self:
        cards = read_cards(pack.texts)
        ids = Counter(card.id for card in cards.values() if card)
        here = {file.card_id: file for file in folder.files()}
        elsewhere = folder.elsewhere()

        def reason(card: Card) -> str:
            return TWICE if ids[card.id] > 1 else id_refusal(card.id, elsewhere)

        return cls(
            [
                Compared(
                    name=name,
                    text=pack.texts[name],
                    card=card,
                    own=here.get(card.id) if card else None,
                    reason=reason(card) if card else "",
                    errors=pack.errors.get(name, ()),
                )
                for name, card in cards.items()
            ]
        )

    def kinds(self) -> Mapping[Kind, Sequence[Compared]]:
        """The files of each kind, those that want a look first."""
        return {kind: [f for f in self.files if f.kind is kind] for kind in Kind}

    @property
    def is_refused(self) -> bool:
        return any(file.kind is Kind.REFUSED for file in self.files)

    @property
    def wanted(self) -> Sequence[Compared]:
        """What an import would write."""
        return [file for file in self.files if file.kind in (Kind.NEW, Kind.CHANGED)]

    @property
    def digest(self) -> str:
        """Of what an import would write, and over what."""
        told = [
            f"{file.name}\0{file.own.version if file.own else ''}"
            for file in self.wanted
        ]
        return sha256("\n".join(told).encode()).hexdigest()


def read_cards(texts: Mapping[str, str]) -> dict[str, Card | None]:
    return {
        name: read_card(text, Notes(name), private=True) for name, text in texts.items()
    }


def errors_of(texts: Mapping[str, str]) -> dict[str, Errors]:
    """What the linter has against the files of a pack, each seen beside the others."""
    folder = Folder.own()
    here = {file.card_id: file.path for file in folder.files()}
    found: dict[str, list[Problem]] = {}
    names: dict[str, str] = {}
    drafts = {}
    for name, text in texts.items():
        notes = Notes(name)
        if card := read_card(text, notes, private=True):
            path = here.get(card.id) or folder.place(card)
            drafts[path], names[path.as_posix()] = text, name
        else:
            found[name] = notes.problems
    for problem in lint(drafts):
        found.setdefault(names[problem.path], []).append(problem)
    return {name: errors_in(problems) for name, problems in found.items()}


def errors_in(problems: Sequence[Problem]) -> Errors:
    return [p.as_json() for p in problems if p.rule.severity is Severity.ERROR]


def bring_in(pack: Pack, digest: str) -> Comparison:
    """All that the pack adds and changes, or nothing; `digest` is what was shown.

    Raises Refused, Changed or NotWritten. What is here already is brought in.
    """
    folder = Folder.own()
    with folder.alone():
        found = Comparison.of(pack, folder)
        if found.is_refused:
            raise Refused(REFUSED)
        if found.wanted and found.digest != digest:
            raise Changed(CHANGED, found)
        folder.put(
            {
                file.own.path if file.own else folder.place(file.card): file.text
                for file in found.wanted
                if file.card
            }
        )
    return found
