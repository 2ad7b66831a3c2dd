"""A question of an interview as it was asked: its words and the runs beside it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Card, FollowUp
from interview.cards.plain import plain_text
from interview.cards.render import Renderer
from interview.rating.rating import Rung

from ..frozen import cards_of
from ..models import Asked, Evidence, Interview


@dataclass(frozen=True, slots=True)
class Worded:
    """A follow-up, or a wrong answer."""

    id: str
    level: str
    """"" for a wrong answer."""
    text: str
    html: SafeString

    @classmethod
    def of(cls, item_id: str, level: str, markdown: str, renderer: Renderer) -> Self:
        html = mark_safe(renderer.inline(markdown))
        return cls(item_id, level, plain_text(markdown), html)


@dataclass(frozen=True, slots=True)
class Question:
    asked: Asked
    card: Card | None
    """As it was frozen; None when that can't be read any more."""
    title: SafeString
    rungs: Sequence[Worded]
    """Those of the kit."""
    wrongs: Sequence[Worded]
    evidence: Sequence[Evidence]

    @classmethod
    def of(
        cls,
        asked: Asked,
        card: Card | None,
        evidence: Sequence[Evidence],
        renderer: Renderer,
    ) -> Self:
        if card is None:
            title = SafeString(asked.card_id)
            return cls(asked, None, title, (), (), evidence)
        return cls(
            asked=asked,
            card=card,
            title=mark_safe(renderer.inline(card.title)),
            rungs=[
                Worded.of(each.id, each.level, each.title, renderer)
                for each in asked.question.follow_ups(card)
            ],
            wrongs=[
                Worded.of(each.id, "", each.quote, renderer)
                for each in card.wrong_answers
            ],
            evidence=evidence,
        )

    @property
    def position(self) -> int:
        return self.asked.question.position

    @property
    def follow_ups(self) -> list[FollowUp]:
        return self.asked.question.follow_ups(self.card) if self.card else []

    @property
    def title_text(self) -> str:
        return self.card.title_text if self.card else self.asked.card_id

    @property
    def is_void(self) -> bool:
        return self.asked.question.voided_at is not None

    @property
    def void_reason(self) -> str:
        return self.asked.question.void_reason

    @property
    def for_rating(self) -> list[Rung]:
        return [Rung(each.id, each.level) for each in self.rungs]

    @property
    def wrong_ids(self) -> list[str]:
        return [each.id for each in self.wrongs]


def questions_of(interview: Interview, renderer: Renderer) -> list[Question]:
    """In order; three queries."""
    asked = list(interview.in_order())
    cards = cards_of(each.question for each in asked)
    runs: defaultdict[int, list[Evidence]] = defaultdict(list)
    for found in interview.evidence.select_related("run"):
        runs[found.asked_id].append(found)
    return [
        Question.of(each, cards.get(each.card_id), runs[each.pk], renderer)
        for each in asked
    ]
