"""All that candidates can be asked, as names: by role, and up to a level."""

from collections.abc import Set
from functools import lru_cache

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.recall.coverage import QUESTION, Rung, Rungs

KEPT = 16
"""Combinations of a role, a level and what somebody suspended."""


class Ladders:
    """The rungs of one state of the content."""

    def __init__(self, content: Library) -> None:
        self.cards = content.listed(Audience.CANDIDATE)
        self.kept = lru_cache(maxsize=KEPT)(self._rungs)

    def rungs(self, role: str, top: str, suspended: Set[str] = frozenset()) -> Rungs:
        """`top` is the highest level; blank is every role, every level."""
        return self.kept(role, top, frozenset(suspended))

    def _rungs(self, role: str, top: str, suspended: frozenset[str]) -> Rungs:
        cards = (card for card in self.cards if not role or role in card.roles)
        asked = (card for card in cards if card.id not in suspended)
        return Rungs(
            r for card in asked for r in ladder(card) if not top or r.level <= top
        )


@lru_cache(maxsize=1)
def ladders(content: Library) -> Ladders:
    """A new version of the content starts empty."""
    return Ladders(content)


def ladder(card: Card) -> list[Rung]:
    """The question, then the follow-ups in file order, under the card's first topic."""
    topic = card.topics[0]
    follow_ups = [Rung(card.id, f.id, topic, f.level) for f in card.follow_ups]
    return [Rung(card.id, "", topic, QUESTION), *follow_ups]
