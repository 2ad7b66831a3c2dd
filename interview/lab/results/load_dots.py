"""The loads of a run as rows of dots, a plot a metric; pure, from its figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interview.cards.quantity import METRICS, Metric, Quantity
from interview.web.dotplot import DotPlot, DotRow, dot_plot, spread_of

from ..form.quantity import written

ALWAYS = ("ttft_ms", "tpot_ms", "itl_max_ms", "output_tokens_per_s")


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one load, as the table beside the plots has it."""

    text: str
    spread: str
    """ "90 ms to 120 ms"; "" where none is known."""
    limit: str
    """ "" without one."""


@dataclass(frozen=True, slots=True)
class LoadDots:
    metric: Metric
    plot: DotPlot
    cells: tuple[Cell, ...]
    """In the order of the loads."""

    @property
    def sentence(self) -> str:
        """What the plot shows."""
        rows = [drawn.row for drawn in self.plot.rows]
        return (
            ", ".join(f"{row.name} {row.text or 'not measured'}" for row in rows) + "."
        )


def load_dots(
    figures: Mapping[str, Any],
    names: Sequence[str],
    limits: Mapping[str, float],
    asked: Iterable[Quantity],
) -> list[LoadDots]:
    """The four of every load and those that the experiment asks or judges.

    `limits` are the least TPOT in ms by load. A metric that no load has is left out.
    """
    wanted = {*ALWAYS, *(quantity.metric for quantity in asked)}
    found = []
    for metric in METRICS.values():
        best = limits if metric.name == "tpot_ms" else {}
        rows = [row(figures, name, metric, best.get(name)) for name in names]
        plot = dot_plot(rows)
        if metric.name in wanted and plot and any(r.value is not None for r in rows):
            cells = tuple(cell(metric, each) for each in rows)
            found.append(LoadDots(metric, plot, cells))
    return found


def row(
    figures: Mapping[str, Any], name: str, metric: Metric, limit: float | None
) -> DotRow:
    values = (figures.get(name) or {}).get("values") or {}
    value, low, high = values.get(metric.name) or (None, None, None)
    text = "" if value is None else written(metric.name, value)
    return DotRow(name, value, text, spread_of(low, high), limit=limit)


def cell(metric: Metric, row: DotRow) -> Cell:
    def write(value: float | None) -> str:
        return "" if value is None else written(metric.name, value)

    low, high = (row.spread.low, row.spread.high) if row.spread else (None, None)
    return Cell(
        text=written(metric.name, row.value),
        spread=f"{write(low)} to {write(high)}" if row.spread else "",
        limit=write(row.limit),
    )
