"""One question on the desk of one interviewer: what every part of the console reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from interview.cards.card import Card
from interview.rating.rating import Rung

from ..frozen import cards_of
from ..models import Asked, Interview, KitQuestion, Score, Scorecard


@dataclass(frozen=True, slots=True)
class Desk:
    scorecard: Scorecard
    scores: Sequence[Score]
    """All of this scorecard, in the kit's order."""
    score: Score
    """Of the question at hand."""
    cards: Mapping[str, Card]
    """As they are asked, by id; one that can't be read any more is not in it."""

    @classmethod
    def of(cls, scorecard: Scorecard, position: int) -> Self | None:
        """None when the kit has no such question."""
        scores = list(scorecard.in_order())
        here = [s for s in scores if s.asked.question.position == position]
        if not here:
            return None
        cards = cards_of(score.asked.question for score in scores)
        return cls(scorecard, scores, here[0], cards)

    @property
    def interview(self) -> Interview:
        return self.scorecard.interview

    @property
    def asked(self) -> Asked:
        return self.score.asked

    @property
    def question(self) -> KitQuestion:
        return self.asked.question

    @property
    def card(self) -> Card | None:
        return self.cards.get(self.score.card_id)

    @property
    def rungs(self) -> list[Rung]:
        return self.rungs_of(self.score)

    def rungs_of(self, score: Score) -> list[Rung]:
        card = self.cards.get(score.card_id)
        return score.asked.question.rungs(card) if card else []

    @property
    def wrong_ids(self) -> list[str]:
        return [wrong.id for wrong in self.card.wrong_answers] if self.card else []
