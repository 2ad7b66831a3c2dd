"""Nanoseconds to the milliseconds that reports hold."""

from collections.abc import Iterable
from typing import Any

from interview.measure.statistics import summary


def ms(ns: float | None) -> float | None:
    """With all digits of the nanosecond; None stays None."""
    return None if ns is None else round(ns / 1e6, 6)


def latency(values_ns: Iterable[float | None]) -> dict[str, Any]:
    """Percentiles, mean, largest and number of the values that are known."""
    found = summary([value for value in values_ns if value is not None])
    return {
        "p50": ms(found.p50),
        "p90": ms(found.p90),
        "p99": ms(found.p99),
        "mean": ms(found.mean),
        "max": ms(found.max),
        "n": found.n,
    }
