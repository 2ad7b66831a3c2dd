"""Guesses as dots along one line with the measurement: numbers to places, no colour.

x is a percentage of the width, y counts CSS pixels from the top.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from interview.web.charts import Scale, Tick, round_ticks

NUMBERED = 12
"""So many dots have room for the numbers of their rows."""
LARGE_PX, SMALL_PX = 22, 10
LARGE_PERCENT, SMALL_PERCENT = 7.0, 3.2
"""Their widths on the narrowest drawing."""
HEAD_PX = 20
"""For the words above the line of the measurement."""
FAR = 4
"""Guesses beyond so many times the measurement lie at the edge, with an arrow."""
LEFT_HALF = 50.0


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    number: int
    """From 1, in the order of the guesses."""
    is_beyond: bool
    """Its guess is larger than the axis is long."""


@dataclass(frozen=True, slots=True)
class Strip:
    height: int
    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    measured_x: float | None
    radius: float
    is_numbered: bool

    @property
    def measured_is_left(self) -> bool:
        """There is more room for words at the right of its line."""
        return self.measured_x is not None and self.measured_x < LEFT_HALF

    @property
    def beyond(self) -> int:
        return sum(dot.is_beyond for dot in self.dots)


def guess_strip(values: Sequence[float], measured: float | None) -> Strip:
    """One dot for each of `values`, which are not empty; equal ones are stacked."""
    levels = round_ticks(reach(values, measured))
    scale = Scale(0, levels[-1], 0, 100)
    is_numbered = len(values) <= NUMBERED
    size_px = LARGE_PX if is_numbered else SMALL_PX
    places = [min(100.0, scale.at(value)) for value in values]
    heaps = stacked(places, LARGE_PERCENT if is_numbered else SMALL_PERCENT)
    height = HEAD_PX + size_px * (max(heaps) + 1) + 4
    dots = tuple(
        Dot(
            x=x,
            y=height - size_px * (heap + 0.5) - 2,
            number=number,
            is_beyond=value > levels[-1],
        )
        for number, (value, x, heap) in enumerate(
            zip(values, places, heaps, strict=True), 1
        )
    )
    return Strip(
        height=height,
        dots=dots,
        ticks=tuple(Tick(scale.at(level), level) for level in levels),
        measured_x=None if measured is None else scale.at(measured),
        radius=size_px / 2 - 1,
        is_numbered=is_numbered,
    )


def reach(values: Sequence[float], measured: float | None) -> float:
    """How far the axis must go: one wild guess does not press all others together."""
    middle = measured or median(values)
    return max([middle, *(value for value in values if value <= FAR * middle)])


def stacked(places: Sequence[float], width: float) -> list[int]:
    """On which layer each lies, from 0, so that no two cover each other."""
    ends: list[float] = []
    layers = [0] * len(places)
    for index in sorted(range(len(places)), key=lambda n: places[n]):
        x = places[index]
        free = (n for n, end in enumerate(ends) if end <= x)
        layer = next(free, len(ends))
        if layer == len(ends):
            ends.append(0.0)
        ends[layer] = x + width
        layers[index] = layer
    return layers
