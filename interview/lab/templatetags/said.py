"""Predictions beside measurements in pages: `{% said_figure compared %}`."""

from collections.abc import Sequence
from typing import Any

from django import template

from interview.lab.experiments.said import Said
from interview.web.dotplot import DotRow, dot_plot, spread_of

register = template.Library()


@register.filter
def signed(percent: float) -> str:
    """ "+53", "−12", "0" with a sign that is read."""
    text = f"{percent:+,.0f}"
    return "0" if text in ("+0", "-0") else text.replace("-", "−")


@register.inclusion_tag("figures/said.html")
def said_figure(rows: Sequence[Said]) -> dict[str, Any]:
    """A small plot for each quantity: their sizes have nothing in common."""
    plots = [(said, dot_plot([row(said)])) for said in rows]
    drawn = [{"said": said, "plot": plot} for said, plot in plots if plot]
    return {
        "plots": drawn,
        "has_range": any(said.has_range for said in rows),
        "has_spread": any(said.measured_low is not None for said in rows),
    }


def row(said: Said) -> DotRow:
    return DotRow(
        name=said.title,
        value=said.measured,
        spread=spread_of(said.measured_low, said.measured_high),
        guess=said.value,
        guessed=spread_of(said.low, said.high),
    )
