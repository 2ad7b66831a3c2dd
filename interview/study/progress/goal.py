"""Which role, level and day the page is about: from the address, or else the plan."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Self

from interview.cards.vocabulary import Vocabulary
from interview.recall.readiness import Goal

from ..models import Plan


@dataclass(frozen=True, slots=True)
class Chosen:
    role: str
    """Blank: every role."""
    level: str
    """Blank: all levels."""
    day: date | None
    typed: str
    """The day as it stands in the field."""
    error: str
    """What is wrong with the day; blank when nothing is."""

    @classmethod
    def read(
        cls, query: Mapping[str, str], plan: Plan, vocabulary: Vocabulary, today: date
    ) -> Self:
        role, level = query.get("role", plan.role), query.get("level", plan.level)
        # An interview that was asks for no other day.
        is_ahead = plan.interview_on is not None and plan.interview_on >= today
        planned = plan.interview_on if is_ahead else None
        typed = query.get("by", planned.isoformat() if planned else "").strip()
        day, error = _day(typed, today)
        return cls(
            role=role if role in vocabulary.roles else "",
            level=level if level in vocabulary.levels else "",
            day=day,
            typed=typed,
            error=error,
        )

    def goal(self, plan: Plan, today: date, taken: Collection[bool]) -> Goal | None:
        """None without a day. `taken` has for each card that took a place in today's
        cap whether it was new."""
        if self.day is None:
            return None
        return Goal(
            at=plan.days.last(self.day),
            retention=plan.retention,
            days_left=(self.day - today).days,
            daily_cap=plan.daily_cap,
            new_cap=plan.new_cap,
            done_today=len(taken),
            new_today=sum(taken),
        )


def _day(typed: str, today: date) -> tuple[date | None, str]:
    if not typed:
        return None, ""
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        return None, f"“{typed[:20]}” is not a day. Write it like {today.isoformat()}."
    if day < today:
        return None, f"{said(day, today)} is over. Choose today or a later day."
    return day, ""


def said(day: date, today: date) -> str:
    """ "Saturday, 12 December"; with its year when that is another one."""
    year = f" {day.year}" if day.year != today.year else ""
    return f"{day:%A}, {day.day} {day:%B}{year}"
