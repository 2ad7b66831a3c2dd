"""The list of questions with how each fared. Knows no request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from django.core.paginator import Page, Paginator

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.plain import plain_text
from interview.cards.search import Hit
from interview.web.marked import marked
from interview.web.stale import stale_note

from ..models import CardState
from ..spread import SpreadFigure
from .filters import Filters, Menu, menus
from .use import NEVER, Use

CARDS_A_PAGE = 50
# Only the best hits get their matches marked; a card far down shows its question.
HITS = 200


@dataclass(frozen=True, slots=True)
class Entry:
    card: Card
    use: Use
    leak: CardState | None
    stale: str
    """See `stale_note`."""

    @property
    def has_leaked(self) -> bool:
        return self.leak is not None


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as the page shows it."""

    entry: Entry
    title: str
    text: str
    """The question, or the stretch of it that matches."""
    topic: str
    roles: str
    figure: SpreadFigure


@dataclass(frozen=True, slots=True)
class QuestionsPage:
    filters: Filters
    menus: Sequence[Menu]
    found: int
    """Cards that the filters let through; `shown` has those of one page."""
    total: int
    shown: Page[Entry]
    lines: Sequence[Line]

    @classmethod
    def of(
        cls,
        filters: Filters,
        page: str,
        library: Library,
        uses: Mapping[str, Use],
        leaked: Mapping[str, CardState],
        now: datetime,
    ) -> Self:
        """`page` is a number as typed in an address; nonsense is the first page."""
        everybody = Audience.AUTHOR
        cards = library.listed(everybody, text=filters.q)
        entries = [
            Entry(
                card,
                uses.get(card.id, NEVER),
                leaked.get(card.id),
                stale_note(card, library, everybody),
            )
            for card in cards
        ]
        picked = filters.pick(entries, now)
        shown = Paginator(picked, CARDS_A_PAGE).get_page(page)
        hits = library.search(filters.q, everybody, HITS) if filters.q else []
        snippets = {hit.id: hit for hit in hits if hit.kind == "card"}
        return cls(
            filters=filters,
            menus=[
                replace(menu, chosen=getattr(filters, menu.name))
                for menu in menus(library)
            ],
            found=len(picked),
            total=len(library.cards),
            shown=shown,
            lines=[_line(each, library, snippets.get(each.card.id)) for each in shown],
        )

    @property
    def query_before(self) -> str:
        """Of the address of the page before; "" on the first."""
        return self._query(-1) if self.shown.has_previous() else ""

    @property
    def query_after(self) -> str:
        return self._query(1) if self.shown.has_next() else ""

    def _query(self, step: int) -> str:
        query = self.filters.query
        return f"{query}{'&' if query else '?'}page={self.shown.number + step}"


def _line(entry: Entry, library: Library, hit: Hit | None) -> Line:
    card, words = entry.card, library.vocabulary
    return Line(
        entry=entry,
        title=marked(hit.title) if hit else card.title_text,
        text=marked(hit.snippet) if hit else plain_text(card.question.markdown),
        topic=str(words.topics.get(card.topics[0], card.topics[0])),
        roles=", ".join(str(words.roles.get(role, role)) for role in card.roles),
        figure=SpreadFigure.of(entry.use.spread),
    )
