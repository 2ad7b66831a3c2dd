"""Figures in templates: `{% gap_figure gaps_ms event_tokens ttft_ms=… %}`."""

from django import template

from interview.web import figures, spans
from interview.web.load_words import load_words

register = template.Library()

register.filter("load_words", load_words)
register.simple_tag(figures.figure)
register.simple_tag(figures.gap_figure)
register.simple_tag(figures.loads_figure)
register.simple_tag(spans.request_spans)
