"""What a card's page shows: its texts as HTML and its neighbours. Knows no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card, Status
from interview.cards.experiment import Experiment
from interview.cards.library import Library
from interview.cards.manual import ContentsEntry
from interview.cards.render import Footnote, Renderer
from interview.web.card_texts import RungView, Texts, WrongView


@dataclass(frozen=True, slots=True)
class CardPage:
    card: Card
    title: SafeString
    badge: str
    """What a card that candidates do not see is: "draft", "kit-only", "retired"."""
    topic: str
    roles: Sequence[str]
    question: SafeString
    short: SafeString
    full: SafeString
    rungs: Sequence[RungView]
    wrongs: Sequence[WrongView]
    footnotes: Sequence[Footnote]
    taught: Sequence[ContentsEntry]
    experiments: Sequence[Experiment]
    needs: Sequence[Card]
    needed_by: Sequence[Card]
    before: Card | None
    after: Card | None

    @classmethod
    def of(
        cls, card: Card, library: Library, renderer: Renderer, audience: Audience
    ) -> Self:
        texts = Texts(card, library, renderer)
        words = library.vocabulary
        before, after = library.neighbours(card.id, audience)
        needs = (library.visible(other, audience) for other in card.needs)
        taught = (library.contents.entry(number) for number in card.taught_in)
        return cls(
            card=card,
            title=texts.inline(card.title),
            badge=badge(card),
            topic=str(words.topics.get(card.topics[0], card.topics[0])),
            roles=[str(words.roles.get(role, role)) for role in card.roles],
            question=texts.html(card.question),
            short=texts.html(card.short),
            full=texts.html(card.full, terms=True),
            rungs=texts.rungs(),
            wrongs=texts.wrongs(),
            footnotes=renderer.footnotes(card.sources),
            taught=[entry for entry in taught if entry],
            experiments=texts.experiments(card.experiments),
            needs=[other for other in needs if other],
            needed_by=library.needing(card.id, audience),
            before=before,
            after=after,
        )


def badge(card: Card) -> str:
    return "" if card.status is Status.PUBLISHED else str(card.status)
