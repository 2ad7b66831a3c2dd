"""The questions of a mock interview with what was asked of each and how it was graded.

Knows no request; what is shown of it, and when, is the pages' matter.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from interview.cards.card import Audience, Card, FollowUp, WrongAnswer
from interview.cards.draw import asked_rungs
from interview.cards.library import Library
from interview.recall.grade import Grade
from interview.web.clock import Clock

from ..models import Act, Mock, SessionStep
from ..models.mock import was_asked


@dataclass(frozen=True, slots=True)
class Graded:
    grade: Grade | None
    """None: not yet, or taken back."""
    act_id: UUID | None
    turn: int
    """Of the grade that may be given now."""


NOT_GRADED = Graded(None, None, 0)


@dataclass(frozen=True, slots=True)
class Question:
    step: SessionStep
    card: Card | None
    """None when it is not among the cards that candidates see any more."""
    asked: tuple[str, ...]
    """Ids of its follow-ups that were asked, after "" for the question itself; empty
    when it was not asked, and when the card is gone."""
    planned: tuple[FollowUp, ...]
    """Its follow-ups up to the mock's level."""
    grades: Mapping[str, Graded]
    clock: Clock | None
    """None when it was not asked."""

    def graded(self, rung_id: str) -> Graded:
        return self.grades.get(rung_id, NOT_GRADED)

    def grade(self, rung_id: str) -> Grade | None:
        return self.graded(rung_id).grade

    @property
    def ungraded(self) -> list[str]:
        return [item for item in self.asked if self.grade(item) is None]

    @property
    def rungs_asked(self) -> int:
        return max(0, len(self.asked) - 1)

    @property
    def unasked(self) -> tuple[FollowUp, ...]:
        return tuple(rung for rung in self.planned if rung.id not in self.asked)

    @property
    def said(self) -> list[WrongAnswer]:
        """Wrong answers that the person gave."""
        wrongs = self.card.wrong_answers if self.card else ()
        return [wrong for wrong in wrongs if wrong.id in self.step.said.split()]


def questions_of(mock: Mock, library: Library, now: datetime) -> list[Question]:
    """In order; two queries."""
    grades = grades_of(mock)
    return [
        _question(mock, step, library, grades[step.position], now)
        for step in mock.in_order()
    ]


def grades_of(mock: Mock) -> defaultdict[int, dict[str, Graded]]:
    """By position and rung; "" is the question."""
    found: defaultdict[int, dict[str, Graded]] = defaultdict(dict)
    rows = Act.objects.grades().filter(session=mock.pk, step__isnull=False).in_order()
    for act_id, position, rung_id, grade, undone in rows.values_list(
        "id", "step__position", "rung_id", "grade", "undone_by"
    ):
        before = found[position].get(rung_id, NOT_GRADED)
        if undone:
            found[position][rung_id] = Graded(
                before.grade, before.act_id, before.turn + 1
            )
        else:
            found[position][rung_id] = Graded(Grade(grade), act_id, before.turn)
    return found


def first_ungraded(questions: Sequence[Question]) -> Question | None:
    return next((one for one in questions if one.ungraded), None)


def _question(
    mock: Mock,
    step: SessionStep,
    library: Library,
    grades: Mapping[str, Graded],
    now: datetime,
) -> Question:
    card = library.visible(step.card_id, Audience.CANDIDATE)
    until = step.done_at or mock.ended_at or now
    return Question(
        step=step,
        card=card,
        asked=tuple(was_asked(step, card, mock.level)) if card else (),
        planned=asked_rungs(card, mock.level) if card else (),
        grades=grades,
        clock=Clock.of(step.asked_at, step.minutes, until) if step.asked_at else None,
    )
