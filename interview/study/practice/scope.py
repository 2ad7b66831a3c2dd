"""Of all cards and rungs, those that a person is asked: what candidates see, what is
not suspended, and no rung above the goal's level."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any, Self

from interview.accounts.models import User
from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.recall.coverage import Part, Rung

from ..ladders import ladders
from ..models import CardMark, Plan


@dataclass(frozen=True, slots=True)
class Scope:
    library: Library
    role: str
    level: str
    suspended: Set[str]
    """Ids of cards."""

    @classmethod
    def of(cls, person: User, plan: Plan, library: Library) -> Self:
        suspended = CardMark.objects.suspended(person)
        return cls(library, plan.role, plan.level, suspended)

    @property
    def part(self) -> Part:
        """Rungs of suspended cards included."""
        return ladders(self.library).part(top=self.level)

    def rung(self, name: str) -> Rung | None:
        """None when it is not asked."""
        rungs = self.part.rungs
        place = rungs.places.get(name)
        if place is None or not self.part.has[place]:
            return None
        return None if rungs[place].card_id in self.suspended else rungs[place]

    def lowest[Row: tuple[Any, ...]](
        self, rows: Iterable[Row]
    ) -> list[tuple[Rung, Row]]:
        """Of each card's rungs that are asked the first in file order, the question
        before all. A row begins with the name of its rung."""
        part = self.part
        rungs, has = part.rungs, part.has
        places, cards = rungs.places, rungs.cards
        found: dict[str, tuple[int, Row]] = {}
        for row in rows:
            place = places.get(row[0])
            if place is not None and has[place]:
                card_id = cards[place]
                kept = found.get(card_id)
                if kept is None or place < kept[0]:
                    found[card_id] = place, row
        return [
            (rungs[place], row)
            for card_id, (place, row) in found.items()
            if card_id not in self.suspended
        ]

    def unseen(self, known: Set[str]) -> list[Card]:
        """Cards of the role that are not `known`, those of the goal's level first."""
        roles = [self.role] if self.role else []
        cards = self.library.listed(Audience.CANDIDATE, roles=roles)
        out = known | self.suspended
        new = [card for card in cards if card.id not in out]
        return sorted(new, key=lambda card: self.level not in ("", *card.levels))
