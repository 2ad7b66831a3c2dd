"""A library of cards made in memory; their texts are whole card files."""

from dataclasses import replace

from interview.cards.cardfile import read_card
from interview.cards.problem import Notes
from interview.web.content import library
from tests.study.conftest import card_text


def make_card(card_id, *, levels="L1, L3", **given):
    text = card_text(card_id, **given).replace("[L1, L3]", f"[{levels}]")
    card = read_card(text, Notes(f"{card_id}.md"))
    assert card, card_id
    return card


def make_library(*cards):
    """In the order given; `needs` count as in any library."""
    return replace(library(), cards={card.id: card for card in cards})
