"""All that the page of two runs shows; and which runs one could be compared with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interview.accounts.models import User

from .. import content
from ..files.origin import VLLM, over_chat, tool_of
from ..models import Kind, Run, Status
from ..results.figures import figures_of
from ..results.load_rows import METRICS, limit_rows
from ..results.result import Result
from ..runs.run_row import in_asked_order
from .compare import Figures, LoadPair, Spreads, load_pairs, only_in
from .compare_asked import (
    facts,
    likeness,
    unknowns,
    unlike_loads,
    unlikeness,
    warning,
)
from .compare_dots import ComparedDots, compared_dots
from .compare_words import loads_said, sentences
from .fact import Fact
from .figure import spreads_of

CANDIDATES = 200
"""So many of the latest runs are offered."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    name: str
    """ "A" or "B"."""
    run: Run
    figures: Figures
    spreads: Spreads
    result: Result | None
    """Of a single request."""

    @classmethod
    def of(cls, name: str, run: Run) -> "Side":
        report = run.report or {}
        single = run.kind == Kind.SINGLE and run.report is not None
        return cls(
            name,
            run,
            run_figures(run),
            spreads_of(report),
            Result.of(report) if single else None,
        )

    @property
    def rows(self) -> list[Row]:
        """By users, as charts take them; none of loads that have names."""
        return [
            {"users": int(name)} | cells(load["values"])
            for name, load in self.figures.items()
            if name.isdigit()
        ]

    @property
    def limits(self) -> list[Mapping[str, float]]:
        return limit_rows(self.run)

    @property
    def gaps(self) -> tuple[tuple[float, ...], tuple[int, ...]] | None:
        """Of a single request's stream: in ms, and the tokens of its events."""
        if self.result is None or not self.result.gaps_ms:
            return None
        return self.result.gaps_ms, self.result.event_tokens


@dataclass(frozen=True, slots=True)
class Comparison:
    a: Side
    b: Side
    loads: tuple[LoadPair, ...]
    sentences: tuple[str, ...]
    facts: tuple[Fact, ...]
    warning: str

    @classmethod
    def of(cls, a: Run, b: Run) -> "Comparison":
        left, right = Side.of("A", a), Side.of("B", b)
        pairs = load_pairs(left.figures, right.figures, left.spreads, right.spreads)
        return cls(
            left,
            right,
            pairs,
            sentences(pairs, unlike_loads(a, b)),
            facts(a, b),
            warning(a, b),
        )

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.a, self.b

    @property
    def only_a(self) -> str:
        return said_if_any(only_in(self.a.figures, self.b.figures))

    @property
    def only_b(self) -> str:
        return said_if_any(only_in(self.b.figures, self.a.figures))

    @property
    def differing(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.differs)

    @property
    def same(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if not fact.differs)

    @property
    def simulated(self) -> bool:
        return self.a.run.simulated or self.b.run.simulated

    @property
    def by_vllm(self) -> bool:
        return VLLM in (tool_of(self.a.run), tool_of(self.b.run))

    @property
    def over_chat(self) -> bool:
        return over_chat(self.a.run) or over_chat(self.b.run)

    @property
    def dots(self) -> tuple[ComparedDots, ...]:
        """Of the common loads that have names."""
        named = [load for load in self.loads if not load.name.isdigit()]
        return compared_dots(named)

    @property
    def has_several_users(self) -> bool:
        """A chart over users has something to show of both."""
        counts = {row["users"] for side in self.sides for row in side.rows}
        return len(counts) > 1 and all(side.rows for side in self.sides)

    @property
    def manual(self) -> tuple[Row, ...]:
        """The manual's points, where a run is of the manual's model."""
        points = content.measured_points()
        if points is None:
            return ()
        model = points.about["model"].rpartition("/")[2].lower()
        ran = any(model in side.run.model.lower() for side in self.sides)
        return points.rows if ran else ()


def said_if_any(loads: Sequence[str]) -> str:
    return loads_said(loads) if loads else ""


def run_figures(run: Run) -> Figures:
    """As stored; of a run from before figures were kept, from its report."""
    if run.figures is not None:
        return in_asked_order(run)
    return figures_of(run.report, run.asked) if run.report else {}


def cells(values: Mapping[str, list[float | None]]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for metric in METRICS:
        value, low, high = values.get(metric) or (None, None, None)
        found |= {metric: value, f"{metric}_low": low, f"{metric}_high": high}
    return found


@dataclass(frozen=True, slots=True)
class Candidate:
    run: Run
    unlike: str
    """Why it is not like for like; "" when it is."""
    unknown: str
    """What is not known of one of them and could make them unlike; or ""."""


def candidates(person: User, run: Run) -> list[Candidate]:
    """Runs that have ended, those like this one first, then the newest."""
    over = Run.objects.visible_to(person).filter(status__in=Status.over())
    others = over.filter(report__isnull=False).exclude(pk=run.pk).listed()
    alike = sorted(others[:CANDIDATES], key=lambda other: likeness(run, other))
    return [candidate(run, other) for other in alike]


def candidate(run: Run, other: Run) -> Candidate:
    return Candidate(other, unlike(run, other), unknowns(run, other))


def unlike(run: Run, other: Run) -> str:
    nothing_in_common, _ = likeness(run, other)
    return "no load in common" if nothing_in_common else unlikeness(run, other)
