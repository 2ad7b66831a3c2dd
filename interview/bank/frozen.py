"""Cards as they were asked: as a frozen kit kept them, else as they are today."""

from collections.abc import Iterable
from functools import lru_cache

from interview.cards.card import Card
from interview.web.content import library
from interview.web.models import CardVersion

from .models import KitQuestion, Sample

# Of two kits of the largest size.
MOST_KEPT = 80


def cards_of(questions: Iterable[KitQuestion | Sample]) -> dict[str, Card]:
    """By card id; one query at most. A card that left the content and was never frozen,
    or whose old file can't be read any more, is left out."""
    asked = list(questions)
    kept = CardVersion.objects.in_bulk({one.card_hash for one in asked} - {""})
    found = {}
    for one in asked:
        version = kept.get(one.card_hash)
        card = (
            _read(version.hash, version.card_id, version.source)
            if version
            else library().cards.get(one.card_id)
        )
        if card:
            found[one.card_id] = card
    return found


@lru_cache(maxsize=MOST_KEPT)
def _read(card_hash: str, card_id: str, source: str) -> Card | None:
    """A version never changes, so it is parsed once."""
    return CardVersion(hash=card_hash, card_id=card_id, source=source).card()
