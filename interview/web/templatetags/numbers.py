"""Numbers in templates: `{{ run.ttft_ms|ms }}`; `number` for one without a unit."""

from django import template

from interview.web import numbers

register = template.Library()

register.filter("ms", numbers.ms)
register.filter("percent", numbers.percent)
register.filter("tpot", numbers.tpot)
register.filter("itl", numbers.tpot)
register.filter("rate", numbers.rate)


@register.filter
def number(value: float | None, decimals: int = 0) -> str:
    return numbers.number(value, decimals)
