"""Names of the things that are graded one by one."""

from interview.cards.card import Card

SPOT_THE_FLAW = "spot-the-flaw:"
"""In place of a rung's id: what was typed in the drill of a card's flaws. The colon
keeps it apart from every rung, whose ids are slugs."""


def item_name(card_id: str, rung_id: str = "") -> str:
    """`card-id` for the question, `card-id/rung-id` for a rung."""
    return f"{card_id}/{rung_id}" if rung_id else card_id


def rung_after(card: Card, rung_id: str) -> str | None:
    """The next rung in file order; of the question, the first one."""
    ids = ["", *(rung.id for rung in card.follow_ups)]
    if rung_id not in ids:
        return None
    return next(iter(ids[ids.index(rung_id) + 1 :]), None)
