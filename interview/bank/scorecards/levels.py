"""How often each level was reached, as small bars, one drawing for each scorecard.

Counts side by side, never added up to a verdict. Lengths are CSS pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interview.rating.words import level_word
from interview.web.numbers import counted

from .sheet import Sheet

STEP, WIDTH, TALLEST, FLOOR = 48, 26, 64, 84


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    count: int
    x: int
    middle: int
    top: int
    height: int


@dataclass(frozen=True, slots=True)
class LevelBars:
    interviewer: str
    bars: Sequence[Bar]
    unrated: int

    width = 5 * STEP
    bar_width = WIDTH
    floor = FLOOR
    height = FLOOR + 22

    @property
    def words(self) -> str:
        """ "L2 in 1 question, L3 in 2 questions; 1 question without a rating" """
        reached = [
            f"{bar.name} in {counted(bar.count, 'question')}"
            for bar in self.bars
            if bar.count
        ]
        said = ", ".join(reached) or "no question is rated"
        if not self.unrated:
            return said
        return f"{said}; {counted(self.unrated, 'question')} without a rating"


def bars_of(sheets: Sequence[Sheet]) -> list[LevelBars]:
    """All on one scale."""
    most = max((count for each in sheets for count in each.levels.counts), default=0)
    return [
        LevelBars(each.interviewer, _bars(each.levels.counts, most or 1), each.unrated)
        for each in sheets
    ]


def _bars(counts: Sequence[int], most: int) -> list[Bar]:
    heights = [round(TALLEST * count / most) for count in counts]
    return [
        Bar(
            name=level_word(at),
            count=count,
            x=at * STEP + (STEP - WIDTH) // 2,
            middle=at * STEP + STEP // 2,
            top=FLOOR - height,
            height=height,
        )
        for at, (count, height) in enumerate(zip(counts, heights, strict=True))
    ]
