"""How somebody's predictions went over several runs; pure arithmetic on what was said.

The bias is the median of said over measured: 2 is "twice what it was", whatever
their size, and one wild guess does not move it much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from interview.cards.quantity import METRICS
from interview.web.numbers import number

from .said import Said
from .verdict import times

NEAR = 1.05
"""A factor below it is no bias that anybody would notice."""
LEAST = 0.01
"""Factors below it are all written alike."""


@dataclass(frozen=True, slots=True)
class Bias:
    """Over the predictions of one metric that met a measurement."""

    metric: str
    count: int
    factor: float
    """Median of said / measured; above 1 the guesses are too high."""
    ranges: int
    held: int
    """Ranges that held the measurement."""

    @property
    def sentence(self) -> str:
        return f"{METRICS[self.metric].title}: your {self._size}{self._ranges}."

    @property
    def _size(self) -> str:
        if self.count == 1:
            return f"guess was {self._off}"
        return f"guesses were {self._off}, in the middle of {self.count}"

    @property
    def _off(self) -> str:
        if 1 / NEAR < self.factor < NEAR:
            return "right within 5 %"
        if self.factor < LEAST:
            return f"less than {number(LEAST, 2)} times the measurement"
        return f"{times(self.factor)} times the measurement"

    @property
    def _ranges(self) -> str:
        if not self.ranges:
            return ""
        if self.ranges == 1:
            return f"; its range {'held' if self.held else 'missed'} the measurement"
        held = self.held or "none"
        return f"; {held} of {self.ranges} ranges held the measurement"


def bias(metric: str, said: Sequence[Said]) -> Bias | None:
    """None when none of them met a measurement above 0."""
    met = [one for one in said if one.measured and one.value]
    factors = [one.value / one.measured for one in met if one.measured]
    if not met:
        return None
    inside = [one.inside for one in met if one.inside is not None]
    return Bias(
        metric=metric,
        count=len(met),
        factor=median(factors),
        ranges=len(inside),
        held=sum(inside),
    )


def biases(said: Iterable[Said]) -> list[Bias]:
    """One a metric, over all its loads, in the order of METRICS."""
    by_metric: dict[str, list[Said]] = {}
    for one in said:
        by_metric.setdefault(one.quantity.metric, []).append(one)
    found = [bias(name, by_metric[name]) for name in METRICS if name in by_metric]
    return [one for one in found if one]
