"""What the templates of cards and sections get, made when a page is first asked for."""

from functools import lru_cache
from typing import Any

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.manual import ManualSection
from interview.web.kept import KeptPages
from interview.web.rendering import renderer_of
from interview.web.stale import stale_note

from .card_page import CardPage
from .section_page import SectionPage


@lru_cache(maxsize=1)
def kept_pages(content: Library) -> KeptPages:
    """A new version of the content starts empty."""
    return KeptPages()


def card_page(card: Card, content: Library, audience: Audience) -> CardPage:
    return CardPage.of(card, content, renderer_of(content), audience)


def card_context(card: Card, content: Library, audience: Audience) -> dict[str, Any]:
    return {
        "card": card,
        "page": card_page(card, content, audience),
        "stale": stale_note(card, content, audience),
    }


def section_context(
    section: ManualSection, content: Library, audience: Audience
) -> dict[str, Any]:
    page = SectionPage.of(section, content, renderer_of(content), audience)
    return {"section": section, "page": page}
