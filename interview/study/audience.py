"""Whose eyes a page is for: it decides which cards are there at all."""

from django.http import Http404, HttpRequest

from interview.cards.card import Audience, Card
from interview.cards.library import Library


def audience_of(request: HttpRequest) -> Audience:
    """Owners and interviewers see drafts and kit-only cards, with a badge."""
    may_interview = getattr(request.user, "may_interview", False)
    return Audience.AUTHOR if may_interview else Audience.CANDIDATE


def visible_card(library: Library, card_id: str, audience: Audience) -> Card:
    """The card, or 404 when it isn't there for this audience."""
    card = library.visible(card_id, audience)
    if card is None:
        raise Http404(f"There is no card {card_id}.")
    return card
