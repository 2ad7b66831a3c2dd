"""Content in templates: `passage|html:3`, `title|inline`, `title|plain`."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from interview.cards.outline import Passage
from interview.cards.plain import plain_text
from interview.web.rendering import renderer

register = template.Library()
register.filter("plain", plain_text)


@register.filter
def html(passage: Passage, level: int = 2) -> SafeString:
    """Its highest heading becomes h`level`. The renderer cleaned it."""
    return mark_safe(renderer().html(passage, level=level))


@register.filter
def inline(markdown: str) -> SafeString:
    """One line, without a paragraph around it."""
    return mark_safe(renderer().inline(markdown))
