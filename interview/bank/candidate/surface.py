"""What is before the candidate now: one text, perhaps a run, and nothing else."""

from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString, mark_safe

from ..frozen import cards_of
from ..models import Interview
from .shown_run import ShownRun
from .text import question_text

NOTHING = mark_safe("")


@dataclass(frozen=True, slots=True)
class Surface:
    state: str
    """before | asked | between | over"""
    revision: int
    """Of the interview that this was made from."""
    questions: int
    position: int = 0
    """Of the question that is asked; 0 when none is."""
    is_follow_up: bool = False
    text: SafeString = NOTHING
    """ "" also of a card that can't be read any more."""
    run: ShownRun | None = None

    @classmethod
    def of(cls, interview: Interview) -> Self:
        revision, questions = interview.revision, interview.asked.count()
        if interview.is_over:
            return cls("over", revision, questions)
        if (now_at := interview.asked_now) is None:
            state = "between" if interview.started_at else "before"
            return cls(state, revision, questions)
        question = now_at.question
        card = cards_of([question]).get(question.card_id)
        shown = interview.evidence_now
        return cls(
            state="asked",
            revision=revision,
            questions=questions,
            position=question.position,
            is_follow_up=bool(interview.rung_now),
            text=question_text(card, interview.rung_now) if card else NOTHING,
            run=ShownRun.of(shown.run) if shown else None,
        )
