"""Content as people in a room read it: `passage|in_room:3`."""

import re

from django import template
from django.utils.safestring import SafeString, mark_safe

from interview.cards.outline import Passage
from interview.web.rendering import renderer

LOCAL_LINK = re.compile(r'<a\b[^>]*\bhref="[/#][^"]*"[^>]*>(.*?)</a>', re.DOTALL)

register = template.Library()


@register.filter
def in_room(passage: Passage, level: int = 2) -> SafeString:
    """As `html`, without links into the site: a guest could open none of them."""
    html = renderer().html(passage, level=level)
    return mark_safe(LOCAL_LINK.sub(r"\1", html))
