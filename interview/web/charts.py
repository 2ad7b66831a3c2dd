"""Numbers to shapes: scales, ticks, bars, lines and bands. Knows no page and no colour.

x is a percentage of the plot's width, y counts CSS pixels from its top: a drawing
fills any width while its text and strokes keep their size.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

STEPS = (1, 2, 2.5, 5, 10)
# A gap is a stall when it is over twice the median and at least this much longer:
# on a fast server twice the median alone would call scheduling jitter a stall.
STALL_FACTOR = 2
STALL_MARGIN_MS = 10
# Longer gaps are cut at this many medians, so that one pause does not flatten the rest.
CUT_FACTOR = 4
# Tokens closer than this came together; in a stream of batches most gaps are none.
TOGETHER_MS = 0.5
NAMED_APART = 30
"""Percent of the width between dots whose numbers are written."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps low..high to start..end, on a logarithmic axis when `log`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        share = (value - low) / (high - low)
        return round(self.start + share * (self.end - self.start), 3)


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    value: float

    @property
    def text(self) -> str:
        return f"{self.value:,.10g}"


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    gap_ms: float
    token: int
    """Number of the event's first token in the answer, counted from 1."""
    tokens: int
    stall: bool
    cut: bool
    """The gap is longer than the axis; the bar ends at its top."""
    arrival: bool
    """Another request was sent while this gap lasted."""

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 3)


@dataclass(frozen=True, slots=True)
class GapChart:
    """One bar per token event after the first: height is the gap, width the tokens."""

    height: int
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    median_ms: float
    median_y: float
    limit_ms: float | None
    limit_y: float | None

    @property
    def stalls(self) -> tuple[Bar, ...]:
        return tuple(bar for bar in self.bars if bar.stall)

    @property
    def arrivals(self) -> tuple[Bar, ...]:
        return tuple(bar for bar in self.bars if bar.arrival)

    @property
    def longest(self) -> Bar:
        return max(self.bars, key=lambda bar: bar.gap_ms)

    @property
    def last_token(self) -> int:
        return self.bars[-1].token + self.bars[-1].tokens - 1


@dataclass(frozen=True, slots=True)
class LoadPoint:
    """A number at a count of users; `low` and `high` span its seeds."""

    users: int
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    users: int
    value: float


@dataclass(frozen=True, slots=True)
class Segment:
    start: Dot
    end: Dot
    near: bool
    """The points are neighbours on the axis; else nothing was measured between."""


@dataclass(frozen=True, slots=True)
class LoadPanel:
    height: int
    dots: tuple[Dot, ...]
    segments: tuple[Segment, ...]
    band: str
    """Points of a polygon from the lowest to the highest seed, "" without spread."""
    ticks: tuple[Tick, ...]
    users: tuple[Tick, ...]
    manual: tuple[Dot, ...]
    """The same number as somebody else measured it."""
    limit: tuple[Dot, ...]
    """The best that the hardware allows."""

    @property
    def named(self) -> tuple[Dot, ...]:
        """Dots with room for their number; the first and the last have it always."""
        found: list[Dot] = []
        for dot in self.dots:
            if not found or dot.x - found[-1].x >= NAMED_APART:
                found.append(dot)
        if found and found[-1] is not self.dots[-1]:
            found[max(1, len(found) - 1) :] = [self.dots[-1]]
        return tuple(found)

    @property
    def limit_lines(self) -> tuple[tuple[Dot, Dot], ...]:
        return tuple(pairwise(self.limit))


def round_ticks(high: float, at_most: int = 4) -> tuple[float, ...]:
    """Zero and at most `at_most` round steps, to the first at or above `high`."""
    if high <= 0:
        return (0.0, 1.0)
    power = 10.0 ** math.floor(math.log10(high / at_most))
    step = next(power * s for s in STEPS if power * s * at_most >= high * (1 - 1e-9))
    return tuple(round(step * n, 9) for n in range(math.ceil(high / step - 1e-9) + 1))


def is_stall(gap_ms: float, median_ms: float) -> bool:
    return gap_ms > STALL_FACTOR * median_ms and gap_ms > median_ms + STALL_MARGIN_MS


def gap_chart(
    itl_ms: Sequence[float],
    event_tokens: Sequence[int],
    *,
    limit_ms: float | None = None,
    reach_ms: float = 0,
    arrivals: Collection[int] = (),
    height: int = 120,
) -> GapChart | None:
    """The chart of one stream, or None when it has no gap.

    `event_tokens` has one entry more than `itl_ms`: the first event has no gap. The
    axis goes at least to `reach_ms`, as for another stream beside it. `arrivals` are
    the numbers of gaps, from 0, in which another request was sent.
    """
    if not itl_ms:
        return None
    middle = median(itl_ms)
    cut_ms = CUT_FACTOR * _median_apart(itl_ms, middle)
    top = max(min(max(itl_ms), cut_ms), middle * 1.25, limit_ms or 0, reach_ms)
    levels = round_ticks(top)
    y = Scale(0, levels[-1], height, 0)
    return GapChart(
        height=height,
        bars=_bars(itl_ms, event_tokens, y, middle, arrivals),
        ticks=tuple(Tick(y.at(level), level) for level in levels),
        median_ms=middle,
        median_y=y.at(middle),
        limit_ms=limit_ms,
        limit_y=None if limit_ms is None else y.at(limit_ms),
    )


def _median_apart(itl_ms: Sequence[float], middle: float) -> float:
    """The median; of a stream in batches that of the gaps between them."""
    if middle >= TOGETHER_MS:
        return middle
    return median([gap_ms for gap_ms in itl_ms if gap_ms >= TOGETHER_MS] or itl_ms)


def _bars(
    itl_ms: Sequence[float],
    event_tokens: Sequence[int],
    y: Scale,
    middle: float,
    arrivals: Collection[int],
) -> tuple[Bar, ...]:
    first, *later = event_tokens
    x = Scale(0, sum(later), 0, 100)
    bars = []
    before = 0
    for number, (gap_ms, tokens) in enumerate(zip(itl_ms, later, strict=True)):
        top = y.at(min(gap_ms, y.high))
        bars.append(
            Bar(
                x=x.at(before),
                y=top,
                width=x.at(tokens),
                height=round(y.start - top, 3),
                gap_ms=gap_ms,
                token=first + before + 1,
                tokens=tokens,
                stall=is_stall(gap_ms, middle),
                cut=gap_ms > y.high,
                arrival=number in arrivals,
            )
        )
        before += tokens
    return tuple(bars)


def load_panel(
    points: Sequence[LoadPoint],
    *,
    manual: Sequence[LoadPoint] = (),
    limit: Sequence[LoadPoint] = (),
    reach: Sequence[LoadPoint] = (),
    users: Sequence[int] = (1, 4, 16, 64),
    height: int = 150,
) -> LoadPanel:
    """One number over the count of users, drawn only at counts that have a value.

    Of all the points at least one must be there. The axes hold `reach`, too, which is
    not drawn: the points of another panel on the same scale.
    """
    shown = [*points, *manual, *limit, *reach]
    counts = [*users, *(point.users for point in shown)]
    x = Scale(min(counts), max(counts), 0, 100, log=True)
    levels = round_ticks(max(point.high or point.value for point in shown))
    y = Scale(0, levels[-1], height, 0)
    dots = _dots(points, x, y)
    widest = max(b / a for a, b in pairwise(users))
    return LoadPanel(
        height=height,
        dots=dots,
        segments=tuple(
            Segment(a, b, near=b.users <= a.users * widest) for a, b in pairwise(dots)
        ),
        band=_band(sorted(points, key=_users), x, y),
        ticks=tuple(Tick(y.at(level), level) for level in levels),
        users=tuple(Tick(x.at(count), count) for count in users),
        manual=_dots(manual, x, y),
        limit=_dots(limit, x, y),
    )


def _users(point: LoadPoint) -> int:
    return point.users


def _dots(points: Sequence[LoadPoint], x: Scale, y: Scale) -> tuple[Dot, ...]:
    ordered = sorted(points, key=_users)
    return tuple(Dot(x.at(p.users), y.at(p.value), p.users, p.value) for p in ordered)


def _band(points: Sequence[LoadPoint], x: Scale, y: Scale) -> str:
    spread = [p for p in points if p.low is not None and p.high is not None]
    if len(spread) < 2:
        return ""
    upper = [(x.at(p.users), y.at(p.high)) for p in spread if p.high is not None]
    lower = [(x.at(p.users), y.at(p.low)) for p in spread if p.low is not None]
    return " ".join(f"{a:g},{b:g}" for a, b in upper + lower[::-1])
