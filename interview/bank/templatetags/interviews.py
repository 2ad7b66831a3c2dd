"""The head of an interview's pages: `{% interview_head interview as head %}`."""

from typing import Any

from django import template

from interview.accounts.access import person

from ..interviews.head import Head
from ..models import Interview

register = template.Library()


@register.simple_tag(takes_context=True)
def interview_head(context: dict[str, Any], interview: Interview) -> Head:
    """As whoever asks for the page sees it."""
    return Head.of(interview, person(context["request"]))
