"""Cards and sections as HTML, made once for each version of the content.

An article depends on who looks only through the audience, so people share it.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.manual import ManualSection
from interview.web.content import library
from interview.web.rendering import renderer_of

from .card_page import CardPage
from .section_page import SectionPage


@dataclass(slots=True)
class Articles:
    library: Library
    _made: dict[tuple[str, str, Audience], SafeString] = field(default_factory=dict)

    def card(self, card: Card, audience: Audience) -> SafeString:
        key = ("card", card.id, audience)
        return self._made.get(key) or self._make_card(key, card)

    def sheet(self, card: Card, audience: Audience, *, answers: bool) -> SafeString:
        """To print: everything that is there is unfolded."""
        key = ("answers" if answers else "questions", card.id, audience)
        return self._made.get(key) or self._make_card(key, card)

    def section(self, section: ManualSection, audience: Audience) -> SafeString:
        key = ("section", section.number, audience)
        return self._made.get(key) or self._make_section(key, section)

    def card_page(self, card: Card, audience: Audience) -> CardPage:
        return CardPage.of(card, self.library, renderer_of(self.library), audience)

    def _make_card(self, key: tuple[str, str, Audience], card: Card) -> SafeString:
        kind, _, audience = key
        context = {
            "page": self.card_page(card, audience),
            "card": card,
            "answers": kind == "answers",
        }
        template = "study/_card.html" if kind == "card" else "study/_sheet.html"
        self._made[key] = render_to_string(template, context)
        return self._made[key]

    def _make_section(
        self, key: tuple[str, str, Audience], section: ManualSection
    ) -> SafeString:
        renderer = renderer_of(self.library)
        page = SectionPage.of(section, self.library, renderer, key[2])
        context = {"page": page, "section": section}
        self._made[key] = render_to_string("study/_section.html", context)
        return self._made[key]


def articles() -> Articles:
    """Those of the current library; a new version of the content starts empty."""
    return articles_of(library())


@lru_cache(maxsize=1)
def articles_of(content: Library) -> Articles:
    return Articles(content)
