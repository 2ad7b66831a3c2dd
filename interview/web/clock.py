"""How long something took beside what was planned for it; it never ends anything."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self


@dataclass(frozen=True, slots=True)
class Clock:
    began: datetime
    planned_min: int
    took_s: int

    @classmethod
    def of(cls, began: datetime, planned_min: int | None, until: datetime) -> Self:
        took_s = max(0, int((until - began).total_seconds()))
        return cls(began, planned_min or 0, took_s)

    @property
    def is_over(self) -> bool:
        return self.took_s >= self.planned_s

    @property
    def planned_s(self) -> int:
        return self.planned_min * 60

    @property
    def text(self) -> str:
        """`4:07`, minutes and seconds"""
        return clock_text(self.took_s)

    @property
    def over_text(self) -> str:
        """By how much it went over; `0:00` when it did not."""
        return clock_text(max(0, self.took_s - self.planned_s))


def clock_text(seconds: int) -> str:
    """`12:05`, minutes and seconds"""
    return f"{seconds // 60}:{seconds % 60:02}"
