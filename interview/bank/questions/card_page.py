"""A card with everything open, for interviewers. Knows no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.render import Footnote, Renderer
from interview.web.card_texts import RungView, Texts, WrongView
from interview.web.stale import stale_note


@dataclass(frozen=True, slots=True)
class CardPage:
    card: Card
    title: SafeString
    stale: str
    """See `stale_note`."""
    topic: str
    roles: Sequence[str]
    competences: Sequence[str]
    question: SafeString
    short: SafeString
    full: SafeString
    rungs: Sequence[RungView]
    wrongs: Sequence[WrongView]
    footnotes: Sequence[Footnote]
    needs: Sequence[Card]
    needed_by: Sequence[Card]
    before: Card | None
    after: Card | None

    @classmethod
    def of(cls, card: Card, library: Library, renderer: Renderer) -> Self:
        texts, words = Texts(card, library, renderer), library.vocabulary
        before, after = library.neighbours(card.id, Audience.AUTHOR)
        needs = (library.cards.get(other) for other in card.needs)
        return cls(
            card=card,
            title=texts.inline(card.title),
            stale=stale_note(card, library, Audience.AUTHOR),
            topic=str(words.topics.get(card.topics[0], card.topics[0])),
            roles=[str(words.roles.get(role, role)) for role in card.roles],
            competences=[str(words.competences.get(c, c)) for c in card.competences],
            question=texts.html(card.question),
            short=texts.html(card.short),
            full=texts.html(card.full),
            rungs=texts.rungs(),
            wrongs=texts.wrongs(),
            footnotes=renderer.footnotes(card.sources),
            needs=[other for other in needs if other],
            needed_by=library.needing(card.id, Audience.AUTHOR),
            before=before,
            after=after,
        )
