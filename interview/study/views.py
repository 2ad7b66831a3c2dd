"""The pages of cards and manual: fetch what this person may see, ask, render."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from interview.accounts.access import person
from interview.cards.card import Audience
from interview.web.content import library
from interview.web.page import page

from .audience import audience_of, visible_card
from .contexts import card_context, card_page, kept_pages, section_context
from .filters import Filters, unknown_words
from .finder import Finder
from .glossary import glossary_terms
from .own.states import own_cards
from .section_page import PlannedPage
from .twin import card_twin, cards_twin


@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    finder = find(request)
    unknown = unknown_words(request.GET, library().vocabulary)
    context = {"finder": finder, "unknown": unknown}
    response = page(request, "study/cards.html", context, part="found")
    # The address of a list found while typing is the one that would open it again.
    response["HX-Replace-Url"] = reverse("study:cards") + finder.filters.query
    return response


def find(request: HttpRequest, audience: Audience | None = None) -> Finder:
    """Of the cards that `audience` sees; None: that of who asks."""
    content, audience = library(), audience or audience_of(request)
    own = own_cards(person(request), content, timezone.now())
    filters = Filters.read(request.GET, content.vocabulary)
    return Finder.of(filters, request.GET.get("page", ""), content, audience, own)


@require_safe
def cards_json(request: HttpRequest) -> JsonResponse:
    """400 for a filter that filters nothing: a program would take all for some."""
    content = library()
    problems = [str(word) for word in unknown_words(request.GET, content.vocabulary)]
    if request.GET.get("mine"):
        problems.append("“mine” filters the page of cards only, not this list.")
    if problems:
        return JsonResponse({"error": " ".join(problems)}, status=400)
    filters = Filters.read(request.GET, content.vocabulary)
    found = content.listed(audience_of(request), text=filters.q)
    return JsonResponse(cards_twin(filters.pick(found), content))


@require_safe
def card(request: HttpRequest, card_id: str) -> HttpResponse:
    content, audience = library(), audience_of(request)
    found = visible_card(content, card_id, audience)
    return kept_pages(content).page(
        request,
        ("card", card_id, audience),
        "study/card.html",
        lambda: card_context(found, content, audience),
    )


@require_safe
def card_print(request: HttpRequest, card_id: str) -> HttpResponse:
    """Everything unfolded: the questions, or with `?answers=1` the answers too."""
    content, audience = library(), audience_of(request)
    found = visible_card(content, card_id, audience)
    answers = request.GET.get("answers") == "1"
    context = card_context(found, content, audience) | {"answers": answers}
    return page(request, "study/card_print.html", context)


@require_safe
def card_json(request: HttpRequest, card_id: str) -> JsonResponse:
    content, audience = library(), audience_of(request)
    found = visible_card(content, card_id, audience)
    return JsonResponse(card_twin(card_page(found, content, audience), content))


@require_safe
def manual(request: HttpRequest) -> HttpResponse:
    contents = library().contents
    entries = list(contents.entries())
    written = sum(entry.written for entry in entries)
    context = {"contents": contents, "written": written, "all": len(entries)}
    return page(request, "study/manual.html", context)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    content = library()
    found = glossary_terms(content, audience_of(request))
    return page(request, "study/terms.html", {"terms": found})


@require_safe
def section(request: HttpRequest, number: str) -> HttpResponse:
    content, audience = library(), audience_of(request)
    found = content.sections.get(number)
    if found is None:
        return planned_section(request, number)
    return kept_pages(content).page(
        request,
        ("section", number, audience),
        "study/section.html",
        lambda: section_context(found, content, audience),
    )


def planned_section(request: HttpRequest, number: str) -> HttpResponse:
    """404, since nothing is there yet, with what is planned for it."""
    content = library()
    entry = content.contents.entry(number)
    if entry is None:
        raise Http404(f"The manual has no section {number}.")
    planned = PlannedPage.of(entry, content, audience_of(request))
    return page(request, "study/planned.html", {"page": planned}, status=404)
