"""Figures as HTML: a drawing, its sentence and its table. It reads no files."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from .charts import GapChart, LoadPanel, LoadPoint, gap_chart, load_panel

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
    rows: Sequence[Mapping[str, str]] = (),
    about: Mapping[str, str] = NOTHING,
) -> SafeString:
    """The figure that content names in `![caption](figure:name)`.

    `rows` are a result's rows, cells as the file has them, with the columns `users`,
    `tpot_ms`, `output_tokens_per_s` and, for a band over seeds, each also with `_low`
    and `_high`. `about` is what is known of their making. Raises UnknownFigure.
    """
    if name not in FIGURES:
        names = ", ".join(sorted(FIGURES))
        raise UnknownFigure(f"There is no figure “{name}”. The figures are: {names}.")
    context = {"caption": caption, "about": about, **FIGURES[name](rows)}
    return render_to_string(f"figures/{name}.html", context)


def gap_figure(
    itl_ms: Sequence[float],
    event_tokens: Sequence[int],
    *,
    ttft_ms: float | None = None,
    limit_ms: float | None = None,
    simulated: bool = False,
) -> SafeString:
    """The gaps of one stream, a bar per token event after the first.

    `event_tokens` counts every token event, so it is one longer than `itl_ms`.
    `limit_ms` is the least time per token that the hardware allows. "" when there is
    no gap.
    """
    chart = gap_chart(itl_ms, event_tokens, limit_ms=limit_ms)
    if chart is None:
        return SafeString("")
    context = {"chart": chart, "ttft_ms": ttft_ms, "simulated": simulated}
    return render_to_string("figures/gaps.html", context | {"named": _named(chart)})


def loads_figure(
    rows: Sequence[Mapping[str, Any]],
    *,
    manual: Sequence[Mapping[str, str]] = (),
    limit: Sequence[Mapping[str, float]] = (),
    prompt_tokens: int | None = None,
    output_tokens: int | None = None,
    simulated: bool = False,
) -> SafeString:
    """TTFT, TPOT and output of a load by its users, beside the manual's and the limit.

    All rows have the columns of `figure`: `manual` the manual's result, `limit` the
    best that the hardware allows. None, or no cell, is a missing number.
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
        "simulated": simulated,
    }
    return render_to_string("figures/loads.html", context)


def _shape(
    column: str,
    rows: Sequence[Mapping[str, Any]],
    manual: Sequence[Mapping[str, str]],
    limit: Sequence[Mapping[str, float]],
) -> LoadPanel | None:
    own, theirs, best = (_points(each, column) for each in (rows, manual, limit))
    if not own and not theirs and not best:
        return None
    return load_panel(own, manual=theirs, limit=best)


def _named(chart: GapChart) -> list[Any]:
    """The longest stalls get their number written above them, where there is room."""
    named: list[Any] = []
    for bar in sorted(chart.stalls, key=lambda bar: -bar.gap_ms):
        if all(abs(bar.middle - other.middle) > 33 for other in named):
            named.append(bar)
    return named


def _two_loads(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    panels = []
    for column, title, decimals in LOAD_COLUMNS:
        if points := _points(rows, column):
            shape = load_panel(points)
            panels.append({"title": title, "shape": shape, "decimals": decimals})
    return {"panels": panels, "rows": rows}


def _points(rows: Sequence[Mapping[str, Any]], column: str) -> list[LoadPoint]:
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


def _request_flow(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    return {}


FIGURES = MappingProxyType({"request-flow": _request_flow, "two-loads": _two_loads})
