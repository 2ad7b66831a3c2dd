"""Of all cards and rungs, those that a person is asked: what candidates see, what is
not suspended, and no rung above the goal's level."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Protocol, Self

from interview.accounts.models import User
from interview.cards.card import Audience, Card
from interview.cards.library import Library

from ..models import CardMark, Plan


class Rung(Protocol):
    @property
    def rung_id(self) -> str: ...


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

    def card(self, card_id: str) -> Card | None:
        if card_id in self.suspended:
            return None
        return self.library.visible(card_id, Audience.CANDIDATE)

    def climbed[T: Rung](self, card: Card, items: Iterable[T]) -> list[T]:
        """The question first, then rungs in file order up to the goal's level."""
        top = self.level or "L4"
        rungs = [rung.id for rung in card.follow_ups if rung.level <= top]
        place = {rung_id: at for at, rung_id in enumerate(["", *rungs])}
        asked = [item for item in items if item.rung_id in place]
        return sorted(asked, key=lambda item: place[item.rung_id])

    def unseen(self, known: Set[str]) -> list[Card]:
        """Cards of the role that are not `known`, those of the goal's level first."""
        roles = [self.role] if self.role else []
        cards = self.library.listed(Audience.CANDIDATE, roles=roles)
        out = known | self.suspended
        new = [card for card in cards if card.id not in out]
        return sorted(new, key=lambda card: self.level not in ("", *card.levels))
