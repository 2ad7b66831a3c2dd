"""The own cards, for whoever writes them: also those that cannot be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.problem import Problem, first_error

from .folder import Folder, OwnFile


@dataclass(frozen=True, slots=True)
class OwnCard:
    file: OwnFile
    card: Card | None
    """What the bank has of it; None when it never was readable."""
    fault: Problem | None
    """Why its file is not what the bank shows."""

    @classmethod
    def of(cls, file: OwnFile, library: Library) -> Self:
        path = file.path.as_posix()
        found = library.cards.get(file.card_id)
        faults = [p for p in library.problems if p.path == path]
        return cls(
            file=file,
            card=found if found and found.path == path else None,
            fault=first_error(faults) if path in library.broken else None,
        )


def own_cards(library: Library) -> Sequence[OwnCard]:
    return [OwnCard.of(file, library) for file in Folder.own().files()]
