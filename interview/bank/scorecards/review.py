"""One's own scorecard at a glance: what is marked, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from interview.cards.render import Renderer

from ..models import Interview, Scorecard
from .question import Question, questions_of
from .sheet import Entry, Sheet, sheets_of


@dataclass(frozen=True, slots=True)
class Review:
    interview: Interview
    sheet: Sheet

    @classmethod
    def of(cls, interview: Interview, card: Scorecard, renderer: Renderer) -> Self:
        questions = questions_of(interview, renderer)
        own = Scorecard.objects.filter(pk=card.pk)
        return cls(interview, sheets_of(own, questions)[0])

    @property
    def card(self) -> Scorecard:
        return self.sheet.card

    @property
    def entries(self) -> Sequence[Entry]:
        return self.sheet.entries

    @property
    def questions(self) -> list[Question]:
        return [each.question for each in self.entries]

    @property
    def missing(self) -> list[Entry]:
        return [each for each in self.entries if not each.is_settled]

    @property
    def is_ready(self) -> bool:
        return not self.missing

    @property
    def state(self) -> str:
        """ "draft", "ready", "submitted" or "revised" """
        if self.card.is_in:
            return self.card.state
        return "ready" if self.is_ready else "draft"

    def entry(self, position: int) -> Entry | None:
        found = (each for each in self.entries if each.question.position == position)
        return next(found, None)
