"""Figures as HTML: a drawing, its sentence and its table. It reads no files."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from .charts import Bar, GapChart, LoadPanel, LoadPoint, gap_chart, load_panel
from .stack_figures import STACKS

type Rows = Sequence[Mapping[str, str]]
NOTHING: Mapping[str, str] = MappingProxyType({})
LOAD_COLUMNS = (
    ("output_tokens_per_s", "Output tokens per second, all users together", 1),
    ("tpot_ms", "Median TPOT in ms, each user", 1),
)
COLUMNS = (*LOAD_COLUMNS, ("ttft_ms", "Median TTFT in ms, each user", 0))
CELLS = tuple(
    f"{column}{end}" for column, *_ in COLUMNS for end in ("", "_low", "_high")
)


class UnknownFigure(LookupError):
    """No figure has this name; the sentence lists those that exist."""


def figure(
    name: str,
    *,
    caption: str = "",
    number: str | None = None,
    rows: Sequence[Mapping[str, str]] = (),
    about: Mapping[str, str] = NOTHING,
    beside: Sequence[Mapping[str, str]] = (),
) -> SafeString:
    """The figure that content names in `![caption](figure:name)`.

    `rows` are a result's rows, cells as the file has them; for loads with the columns
    `users`, `tpot_ms`, `output_tokens_per_s` and, for a band over seeds, each also
    with `_low` and `_high`. `about` is what is known of their making, `beside` the
    rows of a measurement that belongs to them. Raises UnknownFigure.
    """
    if name not in FIGURES:
        names = ", ".join(sorted(FIGURES))
        raise UnknownFigure(f"There is no figure “{name}”. The figures are: {names}.")
    context: dict[str, Any] = {"caption": caption, "number": number, "about": about}
    if name in STACKS:
        context |= STACKS[name].context(rows, about)
        context["drawing"] = f"figures/{name}.svg"
        return render_to_string("figures/stack.html", context)
    context |= DRAWINGS[name](rows, beside)
    return render_to_string(f"figures/{name}.html", context)


def gap_figure(
    itl_ms: Sequence[float],
    event_tokens: Sequence[int],
    *,
    ttft_ms: float | None = None,
    limit_ms: float | None = None,
    reach_ms: float = 0,
    arrivals: Collection[int] = (),
    whose: str = "this stream",
    simulated: bool = False,
) -> SafeString:
    """The gaps of one stream, a bar per token event after the first.

    `event_tokens` counts every token event, so it is one longer than `itl_ms`. `whose`
    tells it from other streams on the page. `limit_ms` is the least time per token
    that the hardware allows; the axis goes at least to `reach_ms`. `arrivals` are the
    numbers of gaps, from 0, in which another request was sent. "" without a gap.
    """
    chart = gap_chart(
        itl_ms, event_tokens, limit_ms=limit_ms, reach_ms=reach_ms, arrivals=arrivals
    )
    if chart is None:
        return SafeString("")
    context = {
        "chart": chart,
        "named": _named(chart),
        "ttft_ms": ttft_ms,
        "whose": whose,
        "simulated": simulated,
    }
    return render_to_string("figures/gaps.html", context)


def loads_figure(
    rows: Sequence[Mapping[str, Any]],
    *,
    manual: Sequence[Mapping[str, str]] = (),
    limit: Sequence[Mapping[str, float]] = (),
    prompt_tokens: int | None = None,
    output_tokens: int | None = None,
    doubts: Sequence[str] = (),
    simulated: bool = False,
) -> SafeString:
    """TTFT, TPOT and output of a load by its users, beside the manual's and the limit.

    All rows have the columns of `figure`: `manual` the manual's result, `limit` the
    best that the hardware allows. None, or no cell, is a missing number. `doubts` are
    sentences about the comparison with the manual.
    """
    rows = [{**dict.fromkeys(CELLS), **row} for row in rows]
    panels: list[dict[str, Any]] = []
    for column, title, decimals in COLUMNS:
        shape = _shape(column, rows, manual, limit)
        if shape:
            panels.append({"title": title, "shape": shape, "decimals": decimals})
    context = {
        "panels": panels,
        "rows": rows,
        "manual": manual,
        "limit": [{**dict.fromkeys(CELLS), **row} for row in limit],
        "has_band": any(panel["shape"].band for panel in panels),
        "prompt_tokens": prompt_tokens,
        "output_tokens": output_tokens,
        "doubts": doubts,
        "simulated": simulated,
    }
    return render_to_string("figures/loads.html", context)


def _shape(
    column: str,
    rows: Sequence[Mapping[str, Any]],
    manual: Sequence[Mapping[str, str]],
    limit: Sequence[Mapping[str, float]],
) -> LoadPanel | None:
    own, theirs, best = (points_of(each, column) for each in (rows, manual, limit))
    if not own and not theirs and not best:
        return None
    return load_panel(own, manual=theirs, limit=best)


def _named(chart: GapChart) -> list[Any]:
    """The longest stalls get their number written above them, where there is room."""
    named: list[Any] = []
    for bar in sorted(chart.stalls, key=lambda bar: -bar.gap_ms):
        middle = _middle_of_its_name(bar)
        if all(abs(middle - _middle_of_its_name(other)) > 33 for other in named):
            named.append(bar)
    return named


def _middle_of_its_name(bar: Bar) -> float:
    """In percent; near an end of the plot the name is not centred on its bar."""
    if bar.middle < 12:
        return bar.middle + 15
    return bar.middle - 15 if bar.middle > 88 else bar.middle


def _two_loads(rows: Rows, _: Rows) -> dict[str, Any]:
    panels = []
    for column, title, decimals in LOAD_COLUMNS:
        if points := points_of(rows, column):
            shape = load_panel(points)
            panels.append({"title": title, "shape": shape, "decimals": decimals})
    return {"panels": panels, "rows": rows}


def points_of(rows: Sequence[Mapping[str, Any]], column: str) -> list[LoadPoint]:
    """An empty cell, or None, is a missing number: it makes no point."""
    return [
        LoadPoint(
            users=int(row["users"]),
            value=value,
            low=_number(row.get(f"{column}_low")),
            high=_number(row.get(f"{column}_high")),
        )
        for row in rows
        if (value := _number(row.get(column))) is not None
    ]


def _number(cell: str | float | None) -> float | None:
    return None if cell is None or cell == "" else float(cell)


def _batch_curve(rows: Rows, beside: Rows) -> dict[str, Any]:
    """The limit by the number of tokens in a step, and what was measured."""
    users = (1, 4, 16, 64, 128)
    panels = [
        {
            "title": title,
            "shape": load_panel(points, limit=points_of(rows, column), users=users),
            "decimals": decimals,
            "named": (1, 16, 64),
        }
        for column, title, points, decimals in (
            ("experts", "Experts touched in a layer, of 128", (), 1),
            ("limit_ms", "Time of a step in ms", points_of(beside, "tpot_ms"), 1),
        )
        if rows
    ]
    measured = {row["users"]: row["tpot_ms"] for row in beside}
    table = [{**row, "tpot_ms": measured.get(row["users"], "")} for row in rows]
    return {"panels": panels, "rows": table}


def _drawn(_: Rows, __: Rows) -> dict[str, Any]:
    """Of a figure without numbers."""
    return {}


DRAWINGS: Mapping[str, Callable[[Rows, Rows], dict[str, Any]]] = MappingProxyType(
    {
        "batch-curve": _batch_curve,
        "block-table": _drawn,
        "request-flow": _drawn,
        "request-timeline": _drawn,
        "ttft-parts": _drawn,
        "two-loads": _two_loads,
    }
)
FIGURES = (*DRAWINGS, *STACKS)
