"""Draws a fair set of questions for a mock interview or a kit. Knows no person.

Chance is a seed: the same cards, wish and seed give the same set on every machine.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from interview.cards.card import LEVELS, Card, FollowUp

QUESTION_WEIGHT = 2
"""A question takes about as long as so many of its follow-ups."""


@dataclass(frozen=True, slots=True)
class Wish:
    minutes: int
    level: str = "L4"
    """No follow-up above it is asked."""
    role: str = ""
    """A slug of the vocabulary; "" for every role."""

    def suits(self, card: Card) -> bool:
        """Whether it is a card of the role that has something to say at this level."""
        in_role = not self.role or self.role in card.roles
        return in_role and any(level <= self.level for level in card.levels)


@dataclass(frozen=True, slots=True)
class Drawn:
    card: Card
    minutes: int
    """Planned for the question and the follow-ups that are asked."""


def asked_rungs(card: Card, level: str) -> tuple[FollowUp, ...]:
    """Its follow-ups up to a level, in file order; "" stands for the highest one."""
    highest = level or max(LEVELS)
    return tuple(rung for rung in card.follow_ups if rung.level <= highest)


def planned_minutes(card: Card, level: str) -> int:
    return minutes_for(card, len(asked_rungs(card, level)))


def minutes_for(card: Card, asked: int) -> int:
    """The card's minutes are for all of it; fewer follow-ups take their share."""
    share = (QUESTION_WEIGHT + asked) / (QUESTION_WEIGHT + len(card.follow_ups))
    return max(1, math.ceil(card.minutes * share))


def draw(
    cards: Iterable[Card],
    wish: Wish,
    seed: int,
    known: Collection[str] = frozenset(),
    recent: Collection[str] = frozenset(),
) -> tuple[Drawn, ...]:
    """Questions in the order in which they are asked; empty when no card suits.

    - The next card comes from the topic asked least so far, by a card's first topic;
      a lot decides between the cards of a topic, and between topics asked alike.
    - What a card needs was asked before it, or its id is in `known`. A card that does
      not suit the wish is presupposed: nobody asks it in this interview.
    - Ids in `recent` come in only when no other card could follow.
    - The sum of minutes is as near to the wish as one more question can bring it.
    """
    pool = {card.id: card for card in cards if wish.suits(card)}
    chosen: dict[str, Drawn] = {}
    topics: Counter[str] = Counter()
    left = wish.minutes
    while drawn := _next(pool, wish, left, chosen, known, topics, recent, seed):
        chosen[drawn.card.id] = drawn
        topics[drawn.card.topics[0]] += 1
        left -= drawn.minutes
    return tuple(chosen.values())


def _next(
    pool: Mapping[str, Card],
    wish: Wish,
    left: int,
    chosen: Collection[str],
    known: Collection[str],
    topics: Mapping[str, int],
    recent: Collection[str],
    seed: int,
) -> Drawn | None:
    def turn(drawn: Drawn) -> tuple[bool, int, bytes, bytes]:
        card, topic = drawn.card, drawn.card.topics[0]
        asked_lately = card.id in recent
        return asked_lately, topics[topic], _lot(seed, topic), _lot(seed, card.id)

    able = (
        Drawn(card, planned_minutes(card, wish.level))
        for card in pool.values()
        if card.id not in chosen
        and all(need in chosen or need in known for need in card.needs if need in pool)
    )
    # Taken when the sum comes nearer to the wish by it.
    return min((one for one in able if one.minutes < 2 * left), key=turn, default=None)


def _lot(seed: int, name: str) -> bytes:
    """Not from `random`, whose order would change with each card that is added."""
    return hashlib.sha256(f"{seed}/{name}".encode()).digest()
