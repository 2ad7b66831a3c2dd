"""What a kit covers: topics by level, competences, minutes. Knows no database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from interview.cards.card import LEVELS, Card
from interview.cards.draw import minutes_for
from interview.cards.vocabulary import Vocabulary, Word

from ..models import Line


@dataclass(frozen=True, slots=True)
class TopicRow:
    title: str
    counts: Sequence[int]
    """Follow-ups that are asked, by level."""


@dataclass(frozen=True, slots=True)
class CompetenceRow:
    word: Word
    positions: Sequence[int]
    """Of the questions that show it; empty: none does."""


@dataclass(frozen=True, slots=True)
class Coverage:
    minutes: int
    """Planned in the kit."""
    usual_minutes: int
    """What its cards take with these follow-ups."""
    topics: Sequence[TopicRow]
    """A question counts in each of its card's topics."""
    competences: Sequence[CompetenceRow]

    levels = tuple(LEVELS)

    @classmethod
    def of(
        cls, lines: Sequence[Line], cards: Mapping[str, Card], words: Vocabulary
    ) -> Self:
        """Lines whose card is not in `cards` count their minutes alone."""
        known = [
            (at, line) for at, line in enumerate(lines, 1) if line.card_id in cards
        ]
        usual = (
            minutes_for(cards[line.card_id], len(line.rung_ids)) for _, line in known
        )
        here = [line for _, line in known]
        return cls(
            minutes=sum(line.minutes for line in lines),
            usual_minutes=sum(usual),
            topics=[
                TopicRow(str(word), counts)
                for slug, word in words.topics.items()
                if any(counts := _counts(slug, here, cards))
            ],
            competences=[
                CompetenceRow(
                    word,
                    [
                        at
                        for at, line in known
                        if slug in cards[line.card_id].competences
                    ],
                )
                for slug, word in words.competences.items()
            ],
        )

    @property
    def covered(self) -> list[CompetenceRow]:
        return [row for row in self.competences if row.positions]

    @property
    def missing(self) -> list[CompetenceRow]:
        return [row for row in self.competences if not row.positions]


def _counts(
    topic: str, lines: Sequence[Line], cards: Mapping[str, Card]
) -> tuple[int, ...]:
    asked = [
        rung.level
        for line in lines
        if topic in cards[line.card_id].topics
        for rung in map(cards[line.card_id].follow_up, line.rung_ids)
        if rung
    ]
    return tuple(asked.count(level) for level in LEVELS)
