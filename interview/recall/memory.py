"""What a learner's memory of one item is thought to be, and how a grade changes it.

FSRS with its default weights (package `fsrs`). What is added here: its days are days of
study, reviews are due at the beginning of one, and spread over neighbouring ones, and
nothing is due after the last day before an interview.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from fsrs import Card, Scheduler, State

from .days import StudyDays
from .grade import Grade

AGAIN_IN = timedelta(minutes=10)
"""What was missed, or new and known in part, comes back on the same day."""
LONGEST_DAYS = 365
SPREAD = 0.05
"""A due day is moved by at most so much of its interval, or by a day, so that items
learned together do not come back together for ever."""
FINAL_DAYS = 7
"""The last look before an interview falls into so many days; who looked in them, and
would remember until the day, has had it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a review is scheduled by. The log keeps them with each review, so that new
    settings change nothing that was planned, and a replay gives the same again."""

    retention: float = 0.9
    """The probability of recall at which an item is due; 0.7 to 0.97."""
    zone: str = "UTC"
    last_day: date | None = None
    """The last day of study before the interview; None without one."""

    @property
    def days(self) -> StudyDays:
        return StudyDays(self.zone)


@dataclass(frozen=True, slots=True)
class Memory:
    state: State
    step: int | None
    stability_days: float
    """After so many days recall has fallen to 90 %."""
    difficulty: float
    """1 to 10."""
    reviewed_at: datetime
    natural_due_at: datetime
    """What memory alone asks for."""
    due_at: datetime | None
    """Not after the last day before an interview; None when it was looked at last."""
    reviews: int

    def card(self) -> Card:
        return Card(
            card_id=0,
            state=self.state,
            step=self.step,
            stability=self.stability_days,
            difficulty=self.difficulty,
            due=self.natural_due_at,
            last_review=self.reviewed_at,
        )


def reviewed(
    memory: Memory | None, grade: Grade, at: datetime, terms: Terms, item: str
) -> Memory:
    """The memory of `item` after a grade; `memory` is None before its first one.

    `item` is its name ("card-id/rung-id") and decides how its due day is spread.
    """
    today = terms.days.day_of(at)
    card, _ = scheduler(terms.retention).review_card(
        _on_days(memory, today, terms), grade.rating, noon(today)
    )
    reviews = memory.reviews + 1 if memory else 1
    assert card.stability is not None
    assert card.difficulty is not None
    interval = card.due - noon(today)
    natural = at + interval
    if card.state is State.Review:
        days = spread(interval.days, f"{item}#{reviews}")
        natural = terms.days.begin(today + timedelta(days=days))
    return Memory(
        state=card.state,
        step=card.step,
        stability_days=card.stability,
        difficulty=card.difficulty,
        reviewed_at=at,
        natural_due_at=natural,
        due_at=before_interview(natural, at, terms, f"{item}#{reviews}"),
        reviews=reviews,
    )


def entered(at: datetime, terms: Terms) -> tuple[datetime, datetime | None]:
    """Natural and true due time of an item that enters the schedule at `at`: the next
    day of study, or not before the interview."""
    day = terms.days.day_of(at) + timedelta(days=1)
    natural = terms.days.begin(day)
    return natural, None if terms.last_day and day > terms.last_day else natural


def spread(days: int, key: str) -> int:
    """`days` or a few more or less, the same ones for the same key; 1 at least."""
    most = max(1, round(days * SPREAD)) if days > 2 else 0
    moved = days + _chosen(key, 2 * most + 1) - most
    return max(1, min(moved, LONGEST_DAYS))


def before_interview(
    natural: datetime, at: datetime, terms: Terms, key: str
) -> datetime | None:
    """`natural`, moved into the last days before the interview when it lies after."""
    last, days = terms.last_day, terms.days
    if last is None or days.day_of(natural) <= last:
        return natural
    left = (last - days.day_of(at)).days
    if left < FINAL_DAYS:
        return None
    return days.begin(last - timedelta(days=_chosen(key, FINAL_DAYS)))


def _chosen(key: str, choices: int) -> int:
    """One of 0 … choices - 1, by chance but always the same for a key."""
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8]) % choices


def _on_days(memory: Memory | None, today: date, terms: Terms) -> Card:
    """FSRS' card with its last review at the noon of a day of study: FSRS counts whole
    24 hours, and an item of yesterday evening is a day old this morning."""
    if memory is None:
        return Card(card_id=0, due=noon(today))
    card = memory.card()
    card.last_review = noon(min(terms.days.day_of(memory.reviewed_at), today))
    return card


def noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


@lru_cache(maxsize=64)
def scheduler(retention: float) -> Scheduler:
    return Scheduler(
        desired_retention=retention,
        learning_steps=(AGAIN_IN,),
        relearning_steps=(AGAIN_IN,),
        maximum_interval=LONGEST_DAYS,
        enable_fuzzing=False,
    )
