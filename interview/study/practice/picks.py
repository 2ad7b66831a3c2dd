"""Which cards a session asks: what is due, what a filter of the list finds, or a few
more. Cards that are suspended or not for candidates are left out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.http import QueryDict

from interview.accounts.models import User
from interview.cards.card import Audience, Card
from interview.cards.library import Library

from ..filters import KINDS, Filters, words_of
from ..models import Plan
from ..own.states import STATES, own_cards
from .due import due
from .opening import Place, not_suspended, small_set

DUE, FILTER, SMALL_SET = "due", "filter", "small"


@dataclass(frozen=True, slots=True)
class Pick:
    """The cards of a filter of the list, in its order."""

    filters: Filters
    cards: list[Card]
    words: str
    """The filter, as one says it: "KV cache, Senior"."""

    @classmethod
    def of(cls, query: str, person: User, library: Library, now: datetime) -> Self:
        """`query` as in the address of the list, with its question mark or without.

        States of one's own are those of `now`.
        """
        given = QueryDict(query.removeprefix("?"))
        filters = Filters.read(given, library.vocabulary)
        listed = library.listed(Audience.CANDIDATE, text=filters.q)
        own = own_cards(person, library, now) if filters.mine else None
        cards = not_suspended(person, filters.pick(listed, own))
        return cls(filters, cards, filter_words(filters, library))


def filter_words(filters: Filters, library: Library) -> str:
    found = [f"“{filters.q}”"] if filters.q else []
    card = library.visible(filters.card, Audience.CANDIDATE)
    if card:
        found.append(card.title_text)
    for kind in KINDS:
        slug = getattr(filters, kind)
        if slug:
            found.append(str(words_of(kind, library.vocabulary)[slug]))
    found += [str(STATES[state]).lower() for state in filters.states]
    return ", ".join(found) or "all cards"


def places(
    what: str, query: str, plan: Plan, library: Library, now: datetime
) -> list[Place]:
    """What a session of this kind asks, in order."""
    if what == FILTER:
        return [(card.id, "") for card in Pick.of(query, plan.user, library, now).cards]
    if what == SMALL_SET:
        return small_set(plan, library, now)
    return list(due(plan.user, plan, library, now).steps)
