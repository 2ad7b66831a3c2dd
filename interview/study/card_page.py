"""What a card's page shows: its texts as HTML and its neighbours. Knows no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Audience, Card, Status, WrongAnswer
from interview.cards.experiment import Claim, Experiment
from interview.cards.library import Library
from interview.cards.manual import ContentsEntry
from interview.cards.outline import Passage
from interview.cards.render import Footnote, Renderer


@dataclass(frozen=True, slots=True)
class RungView:
    id: str
    level: str
    level_title: str
    question: SafeString
    answer: SafeString


@dataclass(frozen=True, slots=True)
class WrongView:
    id: str
    quote: SafeString
    why: SafeString
    experiment: Experiment | None
    claim: Claim | None
    """Of that experiment; a run that agrees with it refutes this answer."""


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


@dataclass(frozen=True, slots=True)
class Texts:
    """The Markdown of one card as HTML, which the renderer has cleaned."""

    card: Card
    library: Library
    renderer: Renderer

    def html(
        self, passage: Passage, level: int = 3, *, terms: bool = False
    ) -> SafeString:
        sources = self.card.sources
        html = self.renderer.html(passage, level=level, sources=sources, terms=terms)
        return mark_safe(html)

    def inline(self, markdown: str) -> SafeString:
        return mark_safe(self.renderer.inline(markdown))

    def rungs(self) -> list[RungView]:
        levels = self.library.vocabulary.levels
        return [
            RungView(
                id=rung.id,
                level=rung.level,
                level_title=str(levels.get(rung.level, "")),
                question=self.inline(rung.title),
                answer=self.html(rung.answer, level=4),
            )
            for rung in self.card.follow_ups
        ]

    def wrongs(self) -> list[WrongView]:
        return [self.wrong(wrong) for wrong in self.card.wrong_answers]

    def wrong(self, answer: WrongAnswer) -> WrongView:
        experiment = self.library.experiments.get(answer.experiment or "")
        claims = (
            experiment.claims_against(self.card.id, answer.id) if experiment else ()
        )
        return WrongView(
            id=answer.id,
            quote=self.inline(answer.quote),
            why=self.html(answer.why, level=4),
            experiment=experiment,
            claim=claims[0] if claims else None,
        )

    def experiments(self, ids: Sequence[str]) -> list[Experiment]:
        known = self.library.experiments
        return [known[item] for item in ids if item in known]
