"""What the progress page shows. Knows no request."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import inf
from typing import Self
from urllib.parse import urlencode

from interview.cards.library import Library
from interview.cards.vocabulary import Vocabulary
from interview.recall.coverage import coverage
from interview.recall.days import posix_ms
from interview.recall.forecast import forecast
from interview.recall.grade import Grade
from interview.recall.readiness import Readiness, readiness

from ..ladders import ladders
from ..models import Plan
from ..practice.due import done_today
from .drawings import ForecastChart, forecast_chart
from .goal import Chosen, said
from .map import WORDS, Map, RungView, map_of, rung_view
from .readiness_words import sentences
from .schedule import Schedule

FORECAST_DAYS = 30
NAMED = 6
"""Rungs of a group that are named; its link leads to all."""


@dataclass(frozen=True, slots=True)
class Group:
    """Rungs that are missing for the same reason."""

    title: str
    count: int
    first: Sequence[RungView]
    query: str
    """Of the practice page that asks these cards; blank when there is none."""

    @property
    def more(self) -> int:
        return self.count - len(self.first)


@dataclass(frozen=True, slots=True)
class ReadinessView:
    title: str
    sentences: Sequence[str]
    groups: Sequence[Group]


@dataclass(frozen=True, slots=True)
class ProgressPage:
    chosen: Chosen
    vocabulary: Vocabulary
    today: date
    is_empty: bool
    """Nothing was graded yet."""
    map: Map
    suspended: int
    """Cards that are left out."""
    ready: ReadinessView | None
    """None without a day."""
    forecast: ForecastChart | None

    @classmethod
    def of(cls, plan: Plan, chosen: Chosen, content: Library, now: datetime) -> Self:
        today, all_ladders = plan.today(now), ladders(content)
        schedule = Schedule.of(plan, all_ladders.part(top=plan.level), now)
        shown = all_ladders.part(chosen.role, suspended=schedule.suspended)
        last = plan.days.last(today)
        taken = _taken(plan, schedule, now)
        return cls(
            chosen=chosen,
            vocabulary=content.vocabulary,
            today=today,
            is_empty=schedule.is_empty,
            map=map_of(coverage(shown, schedule.knowledge, last), content),
            suspended=len(schedule.suspended),
            ready=_ready(plan, chosen, schedule, content, today, taken),
            forecast=_forecast(plan, schedule, today, len(taken)),
        )


def _taken(plan: Plan, schedule: Schedule, now: datetime) -> list[bool]:
    """Of the cards that were asked today, whether they were new. What comes back today
    waits for no room in the cap, so it is left to be counted there."""
    done = done_today(plan.user, plan, now)
    end_ms = posix_ms(plan.days.end(plan.today(now)))
    return [
        is_new
        for card_id, is_new in done.items()
        if schedule.due_ms.get(card_id, inf) >= end_ms
    ]


def _ready(
    plan: Plan,
    chosen: Chosen,
    schedule: Schedule,
    content: Library,
    today: date,
    taken: Collection[bool],
) -> ReadinessView | None:
    goal, day = chosen.goal(plan, today, taken), chosen.day
    if goal is None or day is None:
        return None
    needed = ladders(content).part(chosen.role, chosen.level, schedule.suspended)
    begin_ms = posix_ms(plan.days.begin(day))
    planned = [card_id for card_id, at in schedule.due_ms.items() if at < begin_ms]
    ready = readiness(needed, schedule.knowledge, goal, planned)
    words = content.vocabulary
    level = chosen.level or max(words.levels, default="")
    name = str(words.levels.get(level, level))
    return ReadinessView(
        title=f"Ready for {name} by {said(day, today)}?",
        sentences=sentences(ready, f"{level} {name}", day, today),
        groups=_groups(ready, chosen, schedule, content),
    )


def _groups(
    ready: Readiness, chosen: Chosen, schedule: Schedule, content: Library
) -> list[Group]:
    found = (
        ("Missed or known in part", ready.weak, "weak"),
        ("Solid now, likely to fade before the day", ready.fading, ""),
        ("Never asked", ready.new, "new"),
    )
    return [
        Group(
            title=title,
            count=len(places),
            first=[_view(place, schedule, content) for place in places[:NAMED]],
            query=_query(chosen.role, state),
        )
        for title, places, state in found
        if places
    ]


def _view(place: int, schedule: Schedule, content: Library) -> RungView:
    known = schedule.knowledge.get(place)
    grade = WORDS[Grade(known[0])] if known else ""
    return rung_view(ladders(content).rungs[place], content, grade)


def _query(role: str, state: str) -> str:
    if not state:
        return ""
    pairs = {"role": role, "mine": state} if role else {"mine": state}
    return f"?{urlencode(pairs)}"


def _forecast(
    plan: Plan, schedule: Schedule, today: date, taken: int
) -> ForecastChart | None:
    backlog, by_day = schedule.load(plan, today)
    last = plan.interview_on - timedelta(days=1) if plan.interview_on else None
    axis = [today + timedelta(days=n) for n in range(FORECAST_DAYS)]
    cap, room = plan.daily_cap, plan.daily_cap - taken
    days = forecast(by_day, backlog, cap, today, FORECAST_DAYS, last, room)
    return forecast_chart(days, cap, axis, plan.interview_on)
