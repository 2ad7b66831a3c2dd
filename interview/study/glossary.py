"""What the page of terms shows: each with its sentence and where it is explained."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Audience
from interview.cards.library import Library
from interview.cards.links import target
from interview.cards.terms import Term
from interview.web.rendering import renderer_of


@dataclass(frozen=True, slots=True)
class TermView:
    id: str
    title: str
    says: SafeString
    place: str
    """Where it leads: "Section 1.3" or a card’s title; "" for who may not see it."""
    address: str


def glossary_terms(library: Library, audience: Audience) -> Sequence[TermView]:
    """By title, whatever its case."""
    terms = library.glossary.terms.values()
    ordered = sorted(terms, key=lambda term: term.title.casefold())
    return [_view(term, library, audience) for term in ordered]


def _view(term: Term, library: Library, audience: Audience) -> TermView:
    renderer = renderer_of(library)
    found = target(term.see, library)
    if found.kind == "card":
        card = library.visible(found.id, audience)
        place = card.title_text if card else ""
    else:
        place = f"Section {found.id}"
    address = (renderer.address(found.kind, found.id) or "") if place else ""
    says = mark_safe(renderer.inline(term.says))
    return TermView(term.id, term.title, says, place if address else "", address)
