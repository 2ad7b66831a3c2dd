"""How the reviews of the last weeks went, as the page of progress shows it below.

A request of its own: counting thousands of reviews need not hold up the map.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from interview.recall.outcomes import (
    Calibration,
    calibration,
    is_ordered,
    retention,
    weeks_until,
)

from ..models import Plan
from .drawings import RetentionChart, retention_chart
from .reviews import WEEKS, tallies


@dataclass(frozen=True, slots=True)
class Recalled:
    retention: RetentionChart | None
    """None while nothing of these weeks tells about it."""
    calibration: Sequence[Calibration]
    is_calibrated: bool | None

    @classmethod
    def of(cls, plan: Plan, now: datetime) -> Self:
        begins = weeks_until(now, plan.days, WEEKS)
        counted = tallies(plan, begins, now)
        rows = calibration(counted)
        return cls(
            retention=retention_chart(retention(counted, begins)),
            calibration=rows if any(row.reviews for row in rows) else [],
            is_calibrated=is_ordered(rows),
        )
