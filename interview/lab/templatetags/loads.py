"""A load in its pages: `{% load_figure … %}` its charts, `{% load_parts load %}`."""

from collections.abc import Mapping, Sequence

from django import template
from django.utils.safestring import SafeString

from interview.lab.limits import RunLimit
from interview.lab.load_compared import load_compared
from interview.lab.load_result import LoadResult
from interview.lab.load_rows import load_rows
from interview.lab.load_table import Part, load_table
from interview.lab.so_far import load_so_far
from interview.lab.spec import Spec
from interview.web.figures import loads_figure

register = template.Library()

register.simple_tag(load_so_far)
register.simple_tag(load_compared)


@register.simple_tag
def load_figure(
    load: LoadResult | None,
    manual: Sequence[Mapping[str, str]],
    limits: Mapping[int, RunLimit] | None,
    asked: Spec,
    simulated: bool,
) -> SafeString:
    """The levels that have ended; `limits` by users, also of those that have not."""
    return loads_figure(
        load_rows(load, limits or {}),
        manual=manual,
        prompt_tokens=asked.prompt_tokens,
        output_tokens=asked.max_tokens,
        simulated=simulated,
    )


@register.simple_tag
def load_parts(load: LoadResult) -> tuple[Part, ...]:
    """Every number, part by part."""
    return load_table(load.levels)
