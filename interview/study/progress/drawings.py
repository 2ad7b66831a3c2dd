"""Retention by week and what is due by day, as shapes. Knows no page and no colour.

As in web/charts.py, x is a percentage of the plot's width and y counts CSS pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import pairwise
from operator import add

from interview.recall.forecast import Day
from interview.recall.outcomes import Week
from interview.web.charts import Scale, Tick, round_ticks

HEIGHT = 150
FEW = 10
"""Reviews of a week below which its share says little."""
FULL, HALF = 100.0, 50.0
WEEKS_APART, DAYS_APART = 4, 7
"""Between two dates on an axis."""


@dataclass(frozen=True, slots=True)
class Mark:
    x: float
    y: float
    few: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    start: Mark
    end: Mark


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    day: date


@dataclass(frozen=True, slots=True)
class RetentionChart:
    height: int
    weeks: tuple[Week, ...]
    total: Week
    """All weeks together."""
    recalled_marks: tuple[Mark, ...]
    recalled_lines: tuple[Line, ...]
    predicted_marks: tuple[Mark, ...]
    wanted_lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]

    @property
    def has_few(self) -> bool:
        return any(mark.few for mark in self.recalled_marks)


def retention_chart(weeks: Sequence[Week]) -> RetentionChart | None:
    """None while nothing of these weeks tells about retention."""
    total = reduce(add, weeks)
    if not total.tested:
        return None
    least = min(week.recalled_percent or 0 for week in weeks if week.tested)
    low = HALF if least >= HALF else 0.0
    y, x = Scale(low, FULL, HEIGHT, 0), Scale(0, len(weeks), 0, 100)
    middles = [x.at(place + 0.5) for place in range(len(weeks))]

    def marks(percents: Sequence[float | None]) -> list[Mark | None]:
        return [
            None
            if value is None
            else Mark(at, y.at(max(low, value)), week.tested < FEW)
            for at, value, week in zip(middles, percents, weeks, strict=True)
        ]

    recalled = marks([week.recalled_percent for week in weeks])
    predicted = marks([week.predicted_percent for week in weeks])
    wanted = marks([week.wanted_percent for week in weeks])
    levels = (low, (low + FULL) / 2, FULL)
    return RetentionChart(
        height=HEIGHT,
        weeks=tuple(weeks),
        total=total,
        recalled_marks=tuple(mark for mark in recalled if mark),
        recalled_lines=_lines(recalled),
        predicted_marks=tuple(mark for mark in predicted if mark),
        wanted_lines=_levels(wanted, x.at(0.5)),
        ticks=tuple(Tick(y.at(level), level) for level in levels),
        labels=_labels([week.begin for week in weeks], middles, WEEKS_APART),
    )


def _lines(marks: Sequence[Mark | None]) -> tuple[Line, ...]:
    """Between neighbours; over a week without a review there is none."""
    return tuple(Line(a, b) for a, b in pairwise(marks) if a and b)


def _levels(marks: Sequence[Mark | None], half: float) -> tuple[Line, ...]:
    """Level lines, each as wide as its week."""
    return tuple(
        Line(Mark(mark.x - half, mark.y), Mark(mark.x + half, mark.y))
        for mark in marks
        if mark
    )


def _labels(
    days: Sequence[date], middles: Sequence[float], apart: int
) -> tuple[Label, ...]:
    return tuple(map(Label, middles[::apart], days[::apart]))


@dataclass(frozen=True, slots=True)
class DayBar:
    day: Day
    x: float
    width: float
    y: float
    """Top of what is planned."""
    height: float
    waiting_y: float
    waiting_height: float


@dataclass(frozen=True, slots=True)
class ForecastChart:
    height: int
    bars: tuple[DayBar, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    cap: int
    cap_y: float | None
    """None when the cap is far above all that is due."""
    interview_x: float | None
    interview_on: date | None

    @property
    def planned(self) -> int:
        return sum(bar.day.planned for bar in self.bars)

    @property
    def busiest(self) -> Day:
        return max((bar.day for bar in self.bars), key=lambda day: day.planned)

    @property
    def clear_on(self) -> date | None:
        """The first day after which nothing waits any more; None when none is."""
        waits = [place for place, bar in enumerate(self.bars) if bar.day.waiting]
        after = self.bars[waits[-1] + 1 :] if waits else self.bars
        return after[0].day.day if after else None

    @property
    def waits(self) -> bool:
        return any(bar.day.waiting for bar in self.bars)


def forecast_chart(
    days: Sequence[Day], cap: int, axis: Sequence[date], interview_on: date | None
) -> ForecastChart | None:
    """`days` may end before the `axis` does; None when nothing is due on them."""
    most = max((day.planned + day.waiting for day in days), default=0)
    if not most:
        return None
    levels = round_ticks(most)
    y, x = Scale(0, levels[-1], HEIGHT, 0), Scale(0, len(axis), 0, 100)
    begins = {day: x.at(place) for place, day in enumerate(axis)}
    middles = [x.at(place + 0.5) for place in range(len(axis))]
    return ForecastChart(
        height=HEIGHT,
        bars=tuple(_bar(day, place, x, y) for place, day in enumerate(days)),
        ticks=tuple(Tick(y.at(level), level) for level in levels),
        labels=_labels(axis, middles, DAYS_APART),
        cap=cap,
        cap_y=y.at(cap) if cap <= levels[-1] else None,
        interview_x=begins.get(interview_on) if interview_on else None,
        interview_on=interview_on,
    )


def _bar(day: Day, place: int, x: Scale, y: Scale) -> DayBar:
    top, above = y.at(day.planned), y.at(day.planned + day.waiting)
    return DayBar(
        day=day,
        x=x.at(place + 0.1),
        width=x.at(0.8),
        y=top,
        height=round(y.start - top, 3),
        waiting_y=above,
        waiting_height=round(top - above, 3),
    )
