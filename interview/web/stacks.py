"""Rows of parts to shapes: bars that stack, one under the other. No page, no colour.

x is a percentage of the plot's width, y counts CSS pixels from its top, as in charts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .charts import Scale, Tick, round_ticks

ROW = 40
BAR = 15
WORDS = 17
"""Where a bar begins under the line that names it."""


@dataclass(frozen=True, slots=True)
class Part:
    kind: str
    """How it is filled: one of those in figures.css, such as prefill or decode."""
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    note: str
    """What stands at the end of its line, in words and numbers."""
    parts: Sequence[Part]

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)


@dataclass(frozen=True, slots=True)
class Piece:
    x: float
    width: float
    part: Part


@dataclass(frozen=True, slots=True)
class StackBar:
    words_y: int
    y: int
    row: Row
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Stack:
    height: int
    bar: int
    """The height of a bar."""
    bars: tuple[StackBar, ...]
    ticks: tuple[Tick, ...]
    limit: Tick | None
    """What no bar may exceed."""


def stack(rows: Sequence[Row], *, limit: float | None = None) -> Stack:
    """One bar a row, all on one scale from 0; parts of no size are left out."""
    levels = round_ticks(max(limit or 0, *(row.total for row in rows)))
    x = Scale(0, levels[-1], 0, 100)
    return Stack(
        height=ROW * len(rows),
        bar=BAR,
        bars=tuple(
            StackBar(ROW * n + 12, ROW * n + WORDS, row, _pieces(row, x))
            for n, row in enumerate(rows)
        ),
        ticks=tuple(Tick(x.at(level), level) for level in levels),
        limit=None if limit is None else Tick(x.at(limit), limit),
    )


def _pieces(row: Row, x: Scale) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    before = 0.0
    for part in row.parts:
        if part.value:
            start, end = x.at(before), x.at(before + part.value)
            pieces.append(Piece(start, round(end - start, 3), part))
        before += part.value
    return tuple(pieces)
