"""How long a question and the whole interview took, beside what the kit plans."""

from dataclasses import dataclass
from datetime import datetime

from interview.web.clock import Clock

from .desk import Desk


@dataclass(frozen=True, slots=True)
class Timed:
    name: str
    clock: Clock | None
    """None before it began."""
    runs: bool


def question_clock(desk: Desk, now: datetime) -> Timed:
    """Until the next question was put, or the end."""
    name, interview, began = "This question", desk.interview, desk.asked.asked_at
    if began is None:
        return Timed(name, None, runs=False)
    others = [score.asked.asked_at for score in desk.scores]
    ended = [at for at in [*others, interview.ended_at] if at and at > began]
    clock = Clock.of(began, desk.question.minutes, min(ended, default=now))
    return Timed(name, clock, runs=not ended)


def whole_clock(desk: Desk, now: datetime) -> Timed:
    name, interview = "The interview", desk.interview
    if interview.started_at is None:
        return Timed(name, None, runs=False)
    planned = sum(score.asked.question.minutes for score in desk.scores)
    clock = Clock.of(interview.started_at, planned, interview.ended_at or now)
    return Timed(name, clock, runs=not interview.is_over)
