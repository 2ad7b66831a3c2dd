"""The ratings that something got, as five bars and as words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from interview.rating.rating import HIGHEST, Spread
from interview.rating.words import level_word

BAR, GAP, HEIGHT = 7, 3, 20
FLAT = 1
"""The height of a bar for nothing."""
NO_RATINGS = "no ratings yet"


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    """"below L1", "L1" to "L4"."""
    count: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class SpreadFigure:
    spread: Spread
    bars: Sequence[Bar]
    words: str
    """"1 below L1, 3 at L2"; "no ratings yet" without any."""

    bar = BAR
    height = HEIGHT
    width = (HIGHEST + 1) * (BAR + GAP) - GAP

    @classmethod
    def of(cls, spread: Spread) -> Self:
        most = max(spread.counts)
        bars = [_bar(step, count, most) for step, count in enumerate(spread.counts)]
        said = [f"{bar.count} {_at(bar.name)}" for bar in bars if bar.count]
        return cls(spread, bars, ", ".join(said) or NO_RATINGS)


def _at(name: str) -> str:
    return f"at {name}" if name.startswith("L") else name


def _bar(step: int, count: int, most: int) -> Bar:
    height = round(max(FLAT, HEIGHT * count / most), 1) if most else FLAT
    return Bar(
        level_word(step), count, step * (BAR + GAP), round(HEIGHT - height, 1), height
    )
