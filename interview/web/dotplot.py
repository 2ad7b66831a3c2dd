"""Numbers to rows of dots: a value with its spread, a range around a guess, a tick.

As in charts.py, x is a percentage of the plot's width and y counts CSS pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .charts import Scale, Tick, round_ticks

ROW_HEIGHT = 44
MARK_Y = 28
"""From the top of a row; its words stand above."""


@dataclass(frozen=True, slots=True)
class Spread:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DotRow:
    """One row to draw; None is not drawn."""

    name: str
    value: float | None
    text: str = ""
    """The value as it is written beside the name."""
    spread: Spread | None = None
    """Of the value: a whisker."""
    guess: float | None = None
    guessed: Spread | None = None
    """The range that was given with the guess."""
    limit: float | None = None
    """The best that can be."""


@dataclass(frozen=True, slots=True)
class Segment:
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class DrawnRow:
    row: DotRow
    y: float
    """Of its marks."""
    top: float
    value_x: float | None
    spread: Segment | None
    guess_x: float | None
    guessed: Segment | None
    limit_x: float | None


@dataclass(frozen=True, slots=True)
class DotPlot:
    height: int
    rows: tuple[DrawnRow, ...]
    ticks: tuple[Tick, ...]


def dot_plot(rows: Sequence[DotRow]) -> DotPlot | None:
    """All rows on one axis that begins at 0; None when there is nothing to draw."""
    most = max((end for row in rows for end in numbers_of(row)), default=None)
    if most is None:
        return None
    levels = round_ticks(most)
    x = Scale(0, levels[-1], 0, 100)
    return DotPlot(
        height=ROW_HEIGHT * len(rows),
        rows=tuple(drawn(row, n * ROW_HEIGHT, x) for n, row in enumerate(rows)),
        ticks=tuple(Tick(x.at(level), level) for level in levels),
    )


def numbers_of(row: DotRow) -> list[float]:
    ends = [row.value, row.guess, row.limit]
    ends += [s.high for s in (row.spread, row.guessed) if s]
    return [end for end in ends if end is not None]


def drawn(row: DotRow, top: float, x: Scale) -> DrawnRow:
    def at(value: float | None) -> float | None:
        return None if value is None else x.at(value)

    def segment(spread: Spread | None) -> Segment | None:
        if spread is None:
            return None
        return Segment(x.at(spread.low), x.at(spread.high) - x.at(spread.low))

    return DrawnRow(
        row=row,
        y=top + MARK_Y,
        top=top,
        value_x=at(row.value),
        spread=segment(row.spread),
        guess_x=at(row.guess),
        guessed=segment(row.guessed),
        limit_x=at(row.limit),
    )


def spread_of(low: float | None, high: float | None) -> Spread | None:
    return None if low is None or high is None else Spread(low, high)
