"""What a candidate is told beforehand: how it goes, what counts, what is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

from django.conf import settings

from ..models import Interview


@dataclass(frozen=True, slots=True)
class Brief:
    """Of the questions only how many there are and how long they take."""

    candidate: str
    """As the interviewers wrote it; "" when it is anonymous."""
    held_on: date
    questions: int
    minutes: int
    panel: Sequence[str]
    """Names."""
    made_by: str
    is_over: bool
    keep_days: int
    deleted_on: date

    @classmethod
    def of(cls, interview: Interview) -> Self:
        asked = list(interview.in_order())
        keep_days = settings.BANK_KEEP_DAYS
        return cls(
            candidate=interview.candidate,
            held_on=interview.held_on,
            questions=len(asked),
            minutes=sum(each.question.minutes for each in asked),
            panel=[member.name for member in interview.members()],
            made_by=interview.owner.name,
            is_over=interview.is_over,
            keep_days=keep_days,
            deleted_on=interview.held_on + timedelta(days=keep_days + 1),
        )
