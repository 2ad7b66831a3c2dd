"""What a person keeps to a card, and the search over all that is theirs."""

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
)
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.web.content import library
from interview.web.page import page

from ..audience import audience_of
from ..models import Act, CardMark, NoteChanged
from .found import Found
from .mine import Mine
from .note import NoteTooLong, tidy

DONE = {
    "note": "Saved.",
    "flag": "Flagged.",
    "unflag": "The flag is gone.",
    "suspend": "Suspended.",
    "resume": "It is asked again.",
}
KEPT = "The other text is kept."


@require_http_methods(["GET", "HEAD", "POST"])
def mine(request: HttpRequest, card_id: str) -> HttpResponse:
    """The part of a card's page that is its reader's own; alone a page of its own."""
    act = request.POST.get("act", "")
    if request.method != "POST":
        return mine_page(request, card_id)
    if act not in DONE:
        return HttpResponseBadRequest(f"Send act as one of {', '.join(DONE)}.")
    own_card(request, card_id)
    if act == "note":
        return save_note(request, card_id)
    Act.objects.mark_once(person(request), card_id, act, timezone.now())
    return done(card_id, act)


def own_card(request: HttpRequest, card_id: str) -> Mine:
    card = library().visible(card_id, audience_of(request))
    found = Mine.of(person(request), card_id, card, timezone.now())
    if found is None:
        raise Http404(f"There is no card {card_id}.")
    return found


def mine_page(
    request: HttpRequest, card_id: str, status: int = 200, **said: object
) -> HttpResponse:
    found = own_card(request, card_id)
    context = {
        "mine": found,
        **done_words(request.GET.get("done", "")),
        "typed": found.mark.note,
        "revision": found.mark.note_revision,
        **said,
    }
    return page(request, "study/own/mine.html", context, part="mine", status=status)


def done_words(done: str) -> dict[str, str]:
    """What was just done, beside where it was done."""
    noted = {"note": DONE["note"], "kept": KEPT}.get(done, "")
    return {"noted": noted, "done": "" if noted else DONE.get(done, "")}


def save_note(request: HttpRequest, card_id: str) -> HttpResponse:
    """409 when another tab saved meanwhile: the page shows both texts."""
    typed, revision = request.POST.get("note", ""), request.POST.get("note_revision")
    if not revision or not revision.isdecimal() or len(revision) > 9:
        return HttpResponseBadRequest("Send note_revision as the page gave it.")
    said: dict[str, object]
    try:
        note = tidy(typed)
        CardMark.objects.write(
            person(request), card_id, note, int(revision), timezone.now()
        )
    except NoteTooLong as error:
        said = {"typed": typed, "revision": revision, "problem": str(error)}
        return mine_page(request, card_id, 422, **said)
    except NoteChanged as error:
        said = {"typed": typed, "revision": error.mark.note_revision, "changed": True}
        return mine_page(request, card_id, 409, **said)
    return done(card_id, "note")


def done(card_id: str, act: str) -> HttpResponse:
    there = reverse("study:mine", args=[card_id], query={"done": act})
    return HttpResponseRedirect(there, status=303)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    q = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:200]
    found = Found.of(person(request), q, library(), audience_of(request))
    response = page(request, "study/own/search.html", {"found": found}, part="found")
    query = {"q": q} if q else None
    response["HX-Replace-Url"] = reverse("study:search", query=query)
    return response
