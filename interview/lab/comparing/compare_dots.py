"""Named loads of two runs as rows of dots, a plot a metric; pure, from their pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

from interview.cards.quantity import METRICS, Metric
from interview.web.dotplot import DotPlot, DotRow, dot_plot, spread_of

from ..form.quantity import written
from ..results.load_dots import ALWAYS
from .compare import LoadPair, Pair
from .figure import Figure

DRAWN = (*ALWAYS, "neighbour_ttft_ms")


@dataclass(frozen=True, slots=True)
class ComparedDots:
    metric: Metric
    plot: DotPlot

    @property
    def sentence(self) -> str:
        """What the plot shows."""
        said = (f"{one.row.name} {one.row.text or '–'}" for one in self.plot.rows)
        return ", ".join(said) + "."


def compared_dots(loads: Sequence[LoadPair]) -> tuple[ComparedDots, ...]:
    """A's row above B's, load by load; a metric that nobody has is left out."""
    found = []
    for metric in METRICS.values():
        if metric.name not in DRAWN:
            continue
        pairs = [(load.name, load.pair(metric.name)) for load in loads]
        rows = [row for name, pair in pairs if pair for row in rows_of(name, pair)]
        if plot := dot_plot(rows):
            found.append(ComparedDots(metric, plot))
    return tuple(found)


def rows_of(load: str, pair: Pair) -> tuple[DotRow, DotRow]:
    metric = pair.metric.name
    return row(f"A, {load}", metric, pair.a), row(f"B, {load}", metric, pair.b)


def row(name: str, metric: str, figure: Figure | None) -> DotRow:
    if figure is None:
        return DotRow(name, None)
    spread = spread_of(figure.low, figure.high)
    return DotRow(name, figure.value, written(metric, figure.value), spread)
