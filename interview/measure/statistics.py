"""Percentiles and means of plain numbers; an empty list has none, never 0."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FEW_VALUES = 100
"""A 99th percentile of fewer values than this is one of the largest values."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a level says about one quantity, in the unit of its values."""

    p50: float | None
    p90: float | None
    p99: float | None
    mean: float | None
    max: float | None
    n: int


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Linear interpolation between closest ranks (numpy's default, type 7)."""
    if not values:
        return None
    ordered = sorted(values)
    rank = (len(ordered) - 1) * percent / 100
    low = math.floor(rank)
    high = math.ceil(rank)
    return ordered[low] + (ordered[high] - ordered[low]) * (rank - low)


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean."""
    return math.fsum(values) / len(values) if values else None


def summary(values: Sequence[float]) -> Summary:
    """Median, P90, P99, mean, the largest and the number of values."""
    ordered = sorted(values)  # once: what is sorted costs little to sort again
    return Summary(
        p50=percentile(ordered, 50),
        p90=percentile(ordered, 90),
        p99=percentile(ordered, 99),
        mean=mean(values),
        max=ordered[-1] if ordered else None,
        n=len(values),
    )


def known_sum(counts: Iterable[int | None]) -> int | None:
    """Of those that are known; None when none is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
