"""A person's data: what is there, the ways out, and the end of it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.cards.card import Audience
from interview.web.content import library
from interview.web.page import page
from interview.web.rendering import renderer_of

from ..filters import unknown_words
from ..views import find
from .deck import write_deck
from .download import download
from .drill import sheets
from .erase import erase
from .export import write_study
from .reviews import write_reviews
from .standing import Stored

WORD = "delete"
NOT_TYPED = f"Nothing was deleted: type the word {WORD} to go on."


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    context = {"stored": Stored.of(person(request))}
    return page(request, "study/portable/data.html", context)


@require_safe
def study_json(request: HttpRequest) -> HttpResponseBase:
    me, now = person(request), timezone.now()
    name = f"prefill-study-{timezone.localdate()}.json"
    return download(
        request, name, "application/json", lambda file: write_study(me, now, file)
    )


@require_safe
def reviews_csv(request: HttpRequest) -> HttpResponseBase:
    me, content = person(request), library()
    return download(
        request,
        "prefill-reviews.csv",
        "text/csv; charset=utf-8",
        lambda file: write_reviews(me, content, file),
    )


@require_safe
def cards_apkg(request: HttpRequest) -> HttpResponseBase:
    """Those that the list shows with these filters and candidates may see, whoever
    asks: a package is passed on. 400 for a filter that filters nothing."""
    content = library()
    unknown = unknown_words(request.GET, content.vocabulary)
    if unknown:
        context = {"unknown": unknown}
        return page(request, "study/portable/no_deck.html", context, status=400)
    cards = [c for c in find(request).cards if Audience.CANDIDATE.sees(c.status)]
    now = timezone.now()
    return download(
        request,
        "prefill-cards.apkg",
        "application/octet-stream",
        lambda file: file.write(write_deck(cards, content, now)),
    )


@require_safe
def cards_print(request: HttpRequest) -> HttpResponse:
    """What one page of a candidate's list shows, as questions with room and answers
    behind, whoever asks: paper is passed on."""
    content = library()
    finder = find(request, Audience.CANDIDATE)
    context = {
        "finder": finder,
        "unknown": unknown_words(request.GET, content.vocabulary),
        "sheets": sheets(finder.shown, content, renderer_of(content)),
    }
    return page(request, "study/portable/drill.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_data(request: HttpRequest) -> HttpResponse:
    me, error = person(request), ""
    if request.method == "POST":
        if request.POST.get("word", "").strip().lower() == WORD:
            erase(me)
            messages.success(request, "Your study data is deleted.")
            return see("study:data")
        error = NOT_TYPED
    context = {"stored": Stored.of(me), "word": WORD, "error": error}
    status = 422 if error else 200
    return page(request, "study/portable/delete.html", context, status=status)


def see(name: str, *arguments: object) -> HttpResponse:
    return HttpResponseRedirect(reverse(name, args=arguments), status=303)
