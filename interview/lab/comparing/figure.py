"""One number of a load with its spread, as two runs are compared by. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..results.figures import whole_summaries
from ..results.levels import levels_of, name_of


class Spread(StrEnum):
    """What a spread is over; only two of one kind can be compared."""

    REPETITIONS = "repetitions"
    REQUESTS = "requests"


@dataclass(frozen=True, slots=True)
class Figure:
    value: float
    low: float | None
    high: float | None
    """Both ends of its spread, or None."""
    over: Spread | None = None

    @property
    def has_spread(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def ends(self) -> tuple[float, float]:
        """The value twice when no spread is known."""
        if self.low is None or self.high is None:
            return self.value, self.value
        return self.low, self.high

    def printed(self, decimals: int) -> "Figure":
        """As far as its digits are shown."""
        low, high = (
            None if end is None else round(end, decimals)
            for end in (self.low, self.high)
        )
        return Figure(round(self.value, decimals), low, high, self.over)

    def meets(self, other: "Figure") -> bool:
        return self.ends[0] <= other.ends[1] and other.ends[0] <= self.ends[1]


def figure(
    values: Mapping[str, Sequence[float | None]],
    metric: str,
    over: Spread | None = None,
) -> Figure | None:
    value, low, high = values.get(metric) or (None, None, None)
    return None if value is None else Figure(value, low, high, over)


def spreads_of(report: Mapping[str, Any]) -> dict[str, Spread]:
    """What the spreads of each load are over, as its figures were made."""
    return {
        name_of(level): Spread.REPETITIONS
        if len(whole_summaries(level)) > 1
        else Spread.REQUESTS
        for level in levels_of(report)
    }
