"""What each number means: the lab's help page."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from interview.cards.card import Source
from interview.cards.markdown import cited
from interview.web.page import page
from interview.web.rendering import renderer

from .. import numbers as explained


@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    shown = explained.numbers()
    facts = cited("\n".join(shown.texts()))
    sources = tuple(Source((fact,), "", 1) for fact in facts)
    context = {
        "numbers": shown,
        "sources": sources,
        "footnotes": renderer().footnotes(sources),
    }
    return page(request, "lab/numbers.html", context)
