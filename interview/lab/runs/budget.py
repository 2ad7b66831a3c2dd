"""How long one person may measure in any 24 hours; pure arithmetic on their runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..errors import OverCap
from .expectation import duration

WINDOW = timedelta(hours=24)
CAP = "LAB_BUDGET_SECONDS"


@dataclass(frozen=True, slots=True)
class Spent:
    """The measuring time of one run that has ended."""

    ended_at: datetime
    seconds: float


@dataclass(frozen=True, slots=True)
class Budget:
    """What a person has used and asked for, against the cap."""

    cap_s: float
    spent: Sequence[Spent]
    """Runs that ended in the last 24 hours, oldest first."""
    coming_s: float
    """What the running and the waiting runs are expected to use."""

    @property
    def used_s(self) -> float:
        return sum(run.seconds for run in self.spent)

    def check(self, expected_s: float, now: datetime) -> None:
        """Raises OverCap when a run of `expected_s` does not fit; `now` has a zone."""
        if self.used_s + self.coming_s + expected_s <= self.cap_s:
            return
        used = duration(self.used_s) if self.used_s else "nothing"
        waiting = (
            f", and {duration(self.coming_s)} are to come" if self.coming_s else ""
        )
        raise OverCap(
            f"Each person may measure {duration(self.cap_s)} in any 24 hours. You have "
            f"used {used}{waiting}; this run would take about "
            f"{duration(expected_s)}. {self._room(expected_s, now)}",
            CAP,
        )

    def _room(self, expected_s: float, now: datetime) -> str:
        if expected_s > self.cap_s:
            return "Take fewer levels, repetitions or requests, or shorter answers."
        if (moment := self.room_at(expected_s, now)) is None:
            return "Stop a run that is to come, or ask again in a day."
        local = moment.astimezone(now.tzinfo)
        return f"There is room for it from {local:%H:%M} on {local.day} {local:%B}."

    def room_at(self, expected_s: float, now: datetime) -> datetime | None:
        """When enough of what was used is 24 hours old; None when that is not enough.

        Runs to come count as long as they have not ended.
        """
        over_s = self.used_s + self.coming_s + expected_s - self.cap_s
        if over_s <= 0:
            return now
        for run in self.spent:
            over_s -= run.seconds
            if over_s <= 0:
                return run.ended_at + WINDOW
        return None
