"""The Markdown of one card as HTML, for every page that shows some of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Card, WrongAnswer
from interview.cards.experiment import Claim, Experiment
from interview.cards.library import Library
from interview.cards.outline import Passage
from interview.cards.render import Renderer


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
