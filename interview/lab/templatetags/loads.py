"""A load in its pages: `{% load_figure … %}` its charts, `{% load_parts load %}`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from interview.cards.experiment import Experiment
from interview.cards.quantity import Quantity
from interview.lab.models import Run
from interview.lab.results.goodput import limit_words
from interview.lab.results.limits import RunLimit
from interview.lab.results.load_dots import load_dots
from interview.lab.results.load_result import LoadResult
from interview.lab.results.load_rows import limit_rows, load_rows
from interview.lab.results.load_streams import load_streams
from interview.lab.results.load_table import NOT_SEPARABLE, Part, Row, load_table
from interview.lab.results.so_far import load_so_far
from interview.web.figures import loads_figure

NOT_TOLD = "not in the file"

register = template.Library()

register.filter("limit_words", limit_words)
register.simple_tag(load_so_far)
register.simple_tag(load_streams)


@register.simple_tag
def load_figure(
    load: LoadResult | None,
    manual: Sequence[Mapping[str, str]],
    run: Run,
    doubts: Sequence[str],
) -> SafeString:
    """The levels that have ended, beside the manual's points and the limit."""
    return loads_figure(
        load_rows(load),
        manual=manual,
        limit=limit_rows(run),
        prompt_tokens=run.asked.prompt_tokens,
        output_tokens=run.asked.max_tokens,
        doubts=doubts,
        simulated=run.simulated,
    )


@register.simple_tag
def dots_figure(
    figures: Mapping[str, Any] | None,
    run: Run,
    experiment: Experiment | None,
    limits: Mapping[str, RunLimit],
) -> SafeString:
    """The loads by name that have ended, a plot of dots a metric."""
    asked = run.asked
    best = {name: one.tpot_ms for name, one in limits.items() if one.tpot_ms}
    quantities = quantities_of(experiment) if experiment else ()
    plots = load_dots(figures or {}, asked.load_names, best, quantities)
    context = {
        "plots": plots,
        "loads": asked.asked_loads,
        "has_ended": bool(figures),
        "has_limit": bool(best) and any(p.metric.name == "tpot_ms" for p in plots),
        "simulated": run.simulated,
    }
    return render_to_string("figures/dots.html", context)


def quantities_of(experiment: Experiment) -> tuple[Quantity, ...]:
    """All that it asks or judges."""
    judged = (q for claim in experiment.claims for q in (claim.of, claim.to))
    return (*experiment.predict, *judged)


@register.simple_tag
def load_parts(load: LoadResult) -> tuple[Part, ...]:
    """Every number, part by part."""
    return load_table(load.levels)


@register.simple_tag
def file_parts(load: LoadResult) -> tuple[Part, ...]:
    """The same of an imported file, which has no account of the engine at all."""

    def told(row: Row) -> Row:
        cells = (NOT_TOLD if cell == NOT_SEPARABLE else cell for cell in row.cells)
        return replace(row, cells=tuple(cells))

    parts = load_table(load.levels)
    return tuple(replace(part, rows=tuple(map(told, part.rows))) for part in parts)
