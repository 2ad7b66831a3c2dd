"""The list of cards: what is found, by topic or best first. Knows no request."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from django.core.paginator import Page, Paginator

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.plain import plain_text
from interview.cards.search import Hit
from interview.web.marked import marked
from interview.web.stale import stale_note

from .card_page import badge
from .filters import KINDS, Choice, Filters, choices, own_choices
from .own.states import MARKED, OwnCards

CARDS_A_PAGE = 50
SECTIONS_SHOWN = 8
# Only the best hits get their matches marked; a card far down shows its question.
HITS = 200


@dataclass(frozen=True, slots=True)
class Entry:
    card: Card
    title: str
    text: str
    """The question, or the stretch of the card that matches."""
    levels: Sequence[str]
    roles: str
    badge: str
    stale: str
    """See `stale_note`."""
    marks: Sequence[str]
    """What its reader keeps to it: "flagged", "note", "suspended"."""


@dataclass(frozen=True, slots=True)
class SectionEntry:
    number: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    topic: str
    """"" when the best match comes first."""
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Facet:
    kind: str
    title: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class Finder:
    filters: Filters
    cards: Sequence[Card]
    """All that are found; `shown` has those of one page."""
    practised: int
    """How many of them a session would ask."""
    shown: Page[Card]
    groups: Sequence[Group]
    sections: Sequence[SectionEntry]
    facets: Sequence[Facet]
    total: int
    """Cards without any filter."""

    @classmethod
    def of(
        cls,
        filters: Filters,
        page: str,
        library: Library,
        audience: Audience,
        own: OwnCards,
    ) -> Self:
        """`page` is a number as typed in an address; nonsense is the first page."""
        hits = library.search(filters.q, audience, limit=HITS) if filters.q else []
        cards = library.listed(audience, text=filters.q)
        picked = filters.pick(cards, own)
        shown = Paginator(picked, CARDS_A_PAGE).get_page(page)
        snippets = {hit.id: hit for hit in hits if hit.kind == "card"}
        entries = [
            entry(card, library, snippets.get(card.id), audience, own) for card in shown
        ]
        sections = [section(hit) for hit in hits if hit.kind == "section"]
        words = library.vocabulary
        return cls(
            filters=filters,
            cards=picked,
            practised=sum(can_be_practised(card, own) for card in picked),
            shown=shown,
            groups=[Group("", entries)] if filters.q else by_topic(entries, library),
            sections=sections[:SECTIONS_SHOWN] if shown.number == 1 else [],
            facets=[
                Facet("mine", "Yours", own_choices(filters, cards, own)),
                *(
                    Facet(kind, kind.title(), choices(kind, filters, cards, words, own))
                    for kind in KINDS
                ),
            ],
            total=len(library.listed(audience)),
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


def can_be_practised(card: Card, own: OwnCards) -> bool:
    candidates_see_it = Audience.CANDIDATE.sees(card.status)
    return candidates_see_it and card.id not in own["suspended"]


def entry(
    card: Card, library: Library, hit: Hit | None, audience: Audience, own: OwnCards
) -> Entry:
    roles = library.vocabulary.roles
    return Entry(
        card=card,
        title=marked(hit.title) if hit else card.title_text,
        text=marked(hit.snippet) if hit else plain_text(card.question.markdown),
        levels=card.levels,
        roles=", ".join(str(roles.get(role, role)) for role in card.roles),
        badge=badge(card),
        stale=stale_note(card, library, audience),
        marks=[mark for state, mark in MARKED.items() if card.id in own[state]],
    )


def section(hit: Hit) -> SectionEntry:
    return SectionEntry(hit.id, marked(hit.title), marked(hit.snippet))


def by_topic(entries: Iterable[Entry], library: Library) -> list[Group]:
    topics = library.vocabulary.topics
    return [
        Group(str(topics.get(slug, slug)), list(group))
        for slug, group in groupby(entries, lambda entry: entry.card.topics[0])
    ]
