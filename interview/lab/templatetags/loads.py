"""A load in its pages: `{% load_figure … %}` its charts, `{% load_parts load %}`."""

from collections.abc import Mapping, Sequence

from django import template
from django.utils.safestring import SafeString

from interview.lab.load_compared import load_compared
from interview.lab.load_result import LoadResult
from interview.lab.load_rows import limit_rows, load_rows
from interview.lab.load_table import Part, load_table
from interview.lab.models import Run
from interview.lab.so_far import load_so_far
from interview.web.figures import loads_figure

register = template.Library()

register.simple_tag(load_so_far)
register.simple_tag(load_compared)


@register.simple_tag
def load_figure(
    load: LoadResult | None, manual: Sequence[Mapping[str, str]], run: Run
) -> SafeString:
    """The levels that have ended, beside the manual's points and the limit."""
    return loads_figure(
        load_rows(load),
        manual=manual,
        limit=limit_rows(run),
        prompt_tokens=run.asked.prompt_tokens,
        output_tokens=run.asked.max_tokens,
        simulated=run.simulated,
    )


@register.simple_tag
def load_parts(load: LoadResult) -> tuple[Part, ...]:
    """Every number, part by part."""
    return load_table(load.levels)
