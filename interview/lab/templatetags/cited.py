"""A paragraph whose facts are numbered: `{{ number.origin|cited:sources }}`."""

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Source
from interview.cards.outline import Passage
from interview.web.rendering import renderer

register = template.Library()


@register.filter
def cited(markdown: str, sources: Sequence[Source]) -> SafeString:
    """Its footnote marks count through `sources`. The renderer cleaned it."""
    passage = Passage(markdown, 1, 3)
    return mark_safe(renderer().html(passage, level=3, sources=sources))
