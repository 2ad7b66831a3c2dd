"""A question as its candidate reads it: its words and figures, and no way out."""

import re

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Card
from interview.web.rendering import renderer

# Attributes may hold ">" between their quotation marks.
LINK_TAG = re.compile(r"""</?a\b(?:"[^"]*"|'[^']*'|[^"'>])*>""")


def question_text(card: Card, rung_id: str) -> SafeString:
    """Of the question, or of one follow-up; "" when the card has none of that id.

    Links are words here: cards, manual and sources lead to answers.
    """
    if not rung_id:
        return without_links(renderer().html(card.question, level=2))
    rung = card.follow_up(rung_id)
    return without_links(f"<p>{renderer().inline(rung.title)}</p>" if rung else "")


def without_links(html: str) -> SafeString:
    """Of HTML that the renderer has cleaned."""
    return mark_safe(LINK_TAG.sub("", html))
