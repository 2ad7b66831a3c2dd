"""How reviews went: what was recalled by week, and grades against confidence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from .days import StudyDays
from .grade import Grade

CONFIDENCES = ("sure", "unsure", "guess")


@dataclass(frozen=True, slots=True)
class Tally:
    """Reviews that are alike: of one week, with one confidence and grade."""

    week: int
    """Its number, from 0."""
    confidence: str
    """One of CONFIDENCES, or blank when none was told."""
    grade: str
    reviews: int
    tested: int
    """Of these, of items in review: their recall was predicted."""
    wanted: float
    """Sum of the retention that was wanted, over the tested ones."""
    predicted: float
    """Sum of the predicted recall, over the tested ones."""


@dataclass(frozen=True, slots=True)
class Week:
    begin: date
    """Its Monday."""
    tested: int
    recalled: int
    """Not missed."""
    wanted_sum: float
    predicted_sum: float

    @property
    def recalled_percent(self) -> float | None:
        return self._percent(self.recalled)

    @property
    def wanted_percent(self) -> float | None:
        return self._percent(self.wanted_sum)

    @property
    def predicted_percent(self) -> float | None:
        return self._percent(self.predicted_sum)

    def _percent(self, total: float) -> float | None:
        return 100 * total / self.tested if self.tested else None

    def __add__(self, other: "Week") -> "Week":
        """Both together, from the begin of the first."""
        return Week(
            begin=self.begin,
            tested=self.tested + other.tested,
            recalled=self.recalled + other.recalled,
            wanted_sum=self.wanted_sum + other.wanted_sum,
            predicted_sum=self.predicted_sum + other.predicted_sum,
        )


def weeks_until(now: datetime, days: StudyDays, weeks: int) -> list[date]:
    """The Mondays of so many weeks; the last one holds the day of `now`."""
    today = days.day_of(now)
    monday = today - timedelta(days=today.weekday())
    return [monday - timedelta(weeks=back) for back in reversed(range(weeks))]


def retention(tallies: Iterable[Tally], begins: Sequence[date]) -> list[Week]:
    """Per week, the reviews of items that were in review."""
    by_week: dict[int, list[Tally]] = defaultdict(list)
    for tally in tallies:
        by_week[tally.week].append(tally)
    return [
        Week(
            begin=begin,
            tested=sum(t.tested for t in by_week[week]),
            recalled=sum(t.tested for t in by_week[week] if t.grade != Grade.MISSED),
            wanted_sum=sum(t.wanted for t in by_week[week]),
            predicted_sum=sum(t.predicted for t in by_week[week]),
        )
        for week, begin in enumerate(begins)
    ]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The grades of what somebody said with one confidence."""

    confidence: str
    missed: int
    partly: int
    solid: int

    @property
    def reviews(self) -> int:
        return self.missed + self.partly + self.solid

    @property
    def solid_share(self) -> float | None:
        return self.solid / self.reviews if self.reviews else None


def calibration(tallies: Iterable[Tally]) -> list[Calibration]:
    """A row for each confidence; grades without one are left out."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for tally in tallies:
        counts[tally.confidence, tally.grade] += tally.reviews
    return [
        Calibration(word, *(counts[word, grade] for grade in Grade))
        for word in CONFIDENCES
    ]


def is_ordered(rows: Sequence[Calibration]) -> bool | None:
    """Whether more confidence went with more solid answers; None without enough."""
    shares = [row.solid_share for row in rows if row.solid_share is not None]
    if len(shares) < 2:
        return None
    return all(sure >= less for sure, less in pairwise(shares))
