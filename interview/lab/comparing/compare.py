"""Two runs' figures side by side: ratios, spreads, and what they show.

Pure: knows no database and no page. A and B are two runs, ratios are B over A.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from interview.cards.quantity import METRICS, Metric

from ..form.quantity import decimals_of
from ..results.spoilers import WORDS, spoils
from .figure import Figure, Spread, figure

Figures = Mapping[str, Any]
"""As `figures_of` makes them."""


class Outcome(StrEnum):
    SAME = "same"
    """As printed, the two values are one."""
    APART = "apart"
    """Both have a spread, and the spreads do not meet."""
    ALIKE = "alike"
    """One's spread holds the other's value or meets its spread."""
    OPEN = "open"
    """No two spreads of one kind: a difference may be chance."""
    MISSING = "missing"
    """One of the two, or their ratio: nothing is a multiple of zero."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One metric of one load, of both runs."""

    metric: Metric
    a: Figure | None
    b: Figure | None
    spoiled: bool = False
    """Something that is told of the load says something against this number."""

    @property
    def ratio(self) -> float | None:
        if self.a is None or self.b is None or not self.a.value:
            return None
        return self.b.value / self.a.value

    @property
    def outcome(self) -> Outcome:
        """Decided by what is printed: nobody could see a smaller difference."""
        if self.a is None or self.b is None:
            return Outcome.MISSING
        decimals = decimals_of(self.metric.name)
        a, b = self.a.printed(decimals), self.b.printed(decimals)
        if a.value == b.value:
            return Outcome.SAME
        if self.ratio is None:
            return Outcome.MISSING
        if self._two_kinds:
            return Outcome.OPEN
        spreads = a.has_spread, b.has_spread
        if any(spreads) and a.meets(b):
            return Outcome.ALIKE
        return Outcome.APART if all(spreads) else Outcome.OPEN

    @property
    def _two_kinds(self) -> bool:
        sides = [side.over for side in (self.a, self.b) if side and side.has_spread]
        return len(set(sides)) == 2

    @property
    def words(self) -> str:
        """The ratio, what the spreads say of it, and whether to believe that."""
        if self.a is None or self.b is None:
            return f"not measured by {'B' if self.a else 'A'}"
        return f"{self._told}; spoiled, see below" if self.spoiled else self._told

    @property
    def _told(self) -> str:
        if self.outcome is Outcome.SAME:
            return "the same"
        if self.ratio is None:
            return "no ratio, for A is 0"
        times = f"{in_digits(self.ratio)} times"
        if self.outcome is Outcome.ALIKE:
            return f"{times}, within the spread: no difference shown"
        if self.outcome is Outcome.APART:
            return f"{times}, outside both spreads"
        return f"{times}; {self._without_spread()}: it may be chance"

    def _without_spread(self) -> str:
        if self._two_kinds:
            return "one spread is over repetitions, the other over requests"
        without = [
            name
            for name, side in (("A", self.a), ("B", self.b))
            if side and not side.has_spread
        ]
        return "neither has a spread" if len(without) == 2 else f"{without[0]} has none"


def in_digits(ratio: float) -> str:
    """With two decimals, or with as many as it takes to differ from 1."""
    said = f"{ratio:.2f}"
    return f"{ratio:.3f}" if said == "1.00" else said


@dataclass(frozen=True, slots=True)
class Spoiler:
    run: str
    """ "A" or "B"."""
    words: str


@dataclass(frozen=True, slots=True)
class LoadPair:
    """A load that both runs have."""

    name: str
    pairs: tuple[Pair, ...]
    spoilers: tuple[Spoiler, ...]

    def pair(self, metric: str) -> Pair | None:
        return next((one for one in self.pairs if one.metric.name == metric), None)


Spreads = Mapping[str, Spread]
"""What the spreads of each load are over."""


def load_pairs(
    a: Figures, b: Figures, over_a: Spreads | None = None, over_b: Spreads | None = None
) -> tuple[LoadPair, ...]:
    """The loads of both, in A's order, with each metric that any of them has."""
    overs = over_a or {}, over_b or {}
    return tuple(
        load_pair(name, a[name], b[name], *(over.get(name) for over in overs))
        for name in a
        if name in b
    )


def load_pair(
    name: str,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    over_a: Spread | None = None,
    over_b: Spread | None = None,
) -> LoadPair:
    codes = {code for side in (a, b) for code in side.get("spoiled") or ()}
    pairs = [
        Pair(
            metric,
            figure(a["values"], metric.name, over_a),
            figure(b["values"], metric.name, over_b),
            spoiled=any(spoils(code, metric.name) for code in codes),
        )
        for metric in METRICS.values()
    ]
    spoilers = [
        Spoiler(run, WORDS.get(code, code))
        for run, side in (("A", a), ("B", b))
        for code in side.get("spoiled") or ()
    ]
    known = tuple(pair for pair in pairs if pair.a or pair.b)
    return LoadPair(name, known, tuple(spoilers))


def only_in(a: Figures, b: Figures) -> tuple[str, ...]:
    """Loads of A that B does not have."""
    return tuple(name for name in a if name not in b)
