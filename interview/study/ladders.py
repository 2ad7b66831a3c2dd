"""All that candidates can be asked, and which of it: by role, and up to a level."""

from collections.abc import Set
from functools import lru_cache

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.recall.coverage import QUESTION, Part, Rung, Rungs

KEPT = 16
"""Combinations of a role, a level and what somebody suspended."""


class Ladders:
    """The rungs of one state of the content."""

    def __init__(self, content: Library) -> None:
        self.cards = content.cards
        listed = content.listed(Audience.CANDIDATE)
        self.rungs = Rungs(rung for card in listed for rung in ladder(card))
        self.kept = lru_cache(maxsize=KEPT)(self._part)

    def part(
        self, role: str = "", top: str = "", suspended: Set[str] = frozenset()
    ) -> Part:
        """`top` is the highest level; blank is every role, every level."""
        return self.kept(role, top, frozenset(suspended))

    def _part(self, role: str, top: str, suspended: frozenset[str]) -> Part:
        return Part(
            self.rungs,
            (
                place
                for place, rung in enumerate(self.rungs)
                if rung.card_id not in suspended
                and (not top or rung.level <= top)
                and (not role or role in self.cards[rung.card_id].roles)
            ),
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
