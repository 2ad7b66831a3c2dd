"""The pages of cards and manual: fetch what this person may see, ask, render."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from interview.web.content import library
from interview.web.page import page

from .articles import articles
from .audience import audience_of, visible_card
from .filters import Filters
from .finder import Finder
from .twin import card_twin, cards_twin


@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    finder = find(request)
    response = page(request, "study/cards.html", {"finder": finder}, part="found")
    # The address of a list found while typing is the one that would open it again.
    response["HX-Replace-Url"] = reverse("study:cards") + finder.filters.query
    return response


@require_safe
def cards_json(request: HttpRequest) -> JsonResponse:
    return JsonResponse(cards_twin(find(request).cards, library()))


def find(request: HttpRequest) -> Finder:
    content = library()
    filters = Filters.read(request.GET, content.vocabulary)
    return Finder.of(filters, content, audience_of(request))


@require_safe
def card(request: HttpRequest, card_id: str) -> HttpResponse:
    shown, audience = articles(), audience_of(request)
    found = visible_card(shown.library, card_id, audience)
    context = {"card": found, "article": shown.card(found, audience)}
    return page(request, "study/card.html", context)


@require_safe
def card_print(request: HttpRequest, card_id: str) -> HttpResponse:
    """Everything unfolded: the questions, or with `?answers=1` the answers too."""
    shown, audience = articles(), audience_of(request)
    found = visible_card(shown.library, card_id, audience)
    with_answers = request.GET.get("answers") == "1"
    sheet = shown.sheet(found, audience, answers=with_answers)
    context = {"card": found, "article": sheet}
    return page(request, "study/card_print.html", context)


@require_safe
def card_json(request: HttpRequest, card_id: str) -> JsonResponse:
    shown, audience = articles(), audience_of(request)
    found = visible_card(shown.library, card_id, audience)
    return JsonResponse(card_twin(shown.card_page(found, audience), shown.library))


@require_safe
def manual(request: HttpRequest) -> HttpResponse:
    contents = library().contents
    entries = list(contents.entries())
    written = sum(entry.written for entry in entries)
    context = {"contents": contents, "written": written, "all": len(entries)}
    return page(request, "study/manual.html", context)


@require_safe
def section(request: HttpRequest, number: str) -> HttpResponse:
    shown = articles()
    found = shown.library.sections.get(number)
    if found is None:
        raise Http404(f"Section {number} of the manual is not written.")
    article = shown.section(found, audience_of(request))
    return page(request, "study/section.html", {"section": found, "article": article})
