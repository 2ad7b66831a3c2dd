"""Questions on paper, with room to write, and their answers behind them all."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.outline import Passage
from interview.cards.render import Renderer
from interview.cards.vocabulary import Word


@dataclass(frozen=True, slots=True)
class Asked:
    number: str
    """Such as 3, and 3.1 for its first follow-up."""
    level: str
    """Of a follow-up."""
    question: SafeString
    answer: SafeString


@dataclass(frozen=True, slots=True)
class Sheet:
    """One card."""

    title: SafeString
    first: Asked
    rungs: Sequence[Asked]


def sheets(cards: Iterable[Card], library: Library, renderer: Renderer) -> list[Sheet]:
    levels, html = library.vocabulary.levels, clean_by(renderer)
    return [
        Sheet(
            title=mark_safe(renderer.inline(card.title)),
            first=Asked(str(number), "", html(card.question), html(card.short)),
            rungs=rungs(number, card, levels, renderer),
        )
        for number, card in enumerate(cards, start=1)
    ]


def rungs(
    number: int, card: Card, levels: Mapping[str, Word], renderer: Renderer
) -> list[Asked]:
    html = clean_by(renderer)
    return [
        Asked(
            number=f"{number}.{place}",
            level=f"{rung.level} {levels.get(rung.level, '')}",
            question=mark_safe(renderer.inline(rung.title)),
            answer=html(rung.answer),
        )
        for place, rung in enumerate(card.follow_ups, start=1)
    ]


def clean_by(renderer: Renderer) -> Callable[[Passage], SafeString]:
    """Without marks of footnotes: the sources are not on the paper."""
    return lambda passage: mark_safe(renderer.html(passage, level=5))
