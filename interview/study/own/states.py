"""Which cards are in which state for one person; the card list filters by these."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from interview.cards.library import Library
from interview.cards.vocabulary import Word
from interview.recall.grade import Grade

from ..models import CardMark, Item, Plan
from ..practice.due import due_items
from ..practice.scope import Scope

if TYPE_CHECKING:
    from interview.accounts.models import User

STATES = {
    word.slug: word
    for word in (
        Word("due", "Due today"),
        Word("flagged", "Flagged"),
        Word("noted", "With a note"),
        Word("weak", "Not solid"),
        Word("suspended", "Suspended"),
        Word("new", "Not asked yet"),
    )
}
MARKED = {"flagged": "flagged", "noted": "your note", "suspended": "suspended"}
"""What a list says beside a card, by state."""
OwnCards = Mapping[str, Collection[str]]
"""Ids of cards by state; those of cards that are gone may be among them."""


def own_cards(person: "User", library: Library, now: datetime) -> OwnCards:
    """All states at once, by as many queries for one card as for thousands.

    Due is what practice may ask today, whether or not the daily cap leaves room.
    Not solid: the question or one of its rungs was missed, or known in part, last time.
    """
    plan = Plan.objects.of(person)
    marks = CardMark.objects.of(person).values_list(
        "card_id", "note", "is_flagged", "is_suspended"
    )
    found: dict[str, set[str]] = {state: set() for state in STATES}
    for card_id, note, is_flagged, is_suspended in marks:
        states = {"noted": note, "flagged": is_flagged, "suspended": is_suspended}
        for state, is_so in states.items():
            if is_so:
                found[state].add(card_id)
    mine = Item.objects.of(person).order_by().values_list("card_id", flat=True)
    weak = mine.filter(last_grade__in=[Grade.MISSED, Grade.PARTLY])
    scope = Scope(library, plan.role, plan.level, found["suspended"])
    lowest = scope.lowest(due_items(plan, now))
    found["due"] = {rung.card_id for rung, _ in lowest}
    found["weak"] = set(weak.distinct())
    found["new"] = set(library.cards) - set(mine.distinct())
    return found
