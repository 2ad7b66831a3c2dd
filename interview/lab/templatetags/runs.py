"""Runs in their list and on their pages: `{% run_row item as row %}`."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from interview.cards.quantity import Metric
from interview.lab.comparing.compare_words import place
from interview.lab.comparing.comparison import Comparison
from interview.lab.comparing.figure import Figure
from interview.lab.form.quantity import decimals_of, written
from interview.lab.runs.keeping import keeping
from interview.lab.runs.run_row import run_row
from interview.web.compared import common_reach_ms, compared_figure
from interview.web.numbers import number

register = template.Library()

register.simple_tag(run_row)
register.simple_tag(keeping)
register.filter("place", place)


@register.simple_tag
def measured(figure: Figure | None, metric: Metric) -> str:
    """ "243.8 ms (240.1–246.0)", the spread apart."""
    decimals = decimals_of(metric.name)
    said = written(metric.name, figure.value if figure else None)
    if figure is None or not figure.has_spread:
        return said
    low, high = (number(end, decimals) for end in figure.ends)
    return format_html("{} <small>({}–{})</small>", said, low, high)


@register.simple_tag
def both_figure(both: Comparison) -> SafeString:
    """The charts of two loads by users."""
    return compared_figure(
        both.a.rows,
        both.b.rows,
        manual=both.manual,
        limit_a=both.a.limits,
        limit_b=both.b.limits,
        simulated=both.simulated,
    )


@register.simple_tag
def gap_reach(both: Comparison) -> float:
    """How far the axes of both strips of gaps go."""
    return common_reach_ms([side.gaps for side in both.sides if side.gaps])
