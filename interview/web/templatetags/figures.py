"""Figures in templates: `{% gap_figure gaps_ms event_tokens ttft_ms=… %}`."""

from django import template

from interview.web import charts, figures

register = template.Library()

register.simple_tag(figures.figure)
register.simple_tag(figures.gap_figure)
register.simple_tag(figures.loads_figure)
register.simple_tag(charts.request_spans)
