"""What somebody gets who has not signed in: the door, or one sentence."""

from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.http import MAX_URL_LENGTH

from interview.web.page import page

FIRST = "Sign in first."


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """A browser that asked for a page goes to the door and comes back afterwards.

    Whatever else asked gets 403 and a sentence: a program cannot use a form in place
    of its data, and what a form was to send would be lost on the way.
    """
    accepted = request.headers.get("Accept", "")
    if request.headers.get("HX-Request"):
        return from_within_a_page(request)
    if "text/html" in accepted and asks_for_page(request):
        return HttpResponseRedirect(door(request.get_full_path()))
    if request.path.endswith(".json") or "application/json" in (
        accepted,
        request.content_type,
    ):
        return JsonResponse({"error": FIRST}, status=403)
    if accepted == "text/event-stream":
        plain = "text/plain; charset=utf-8"
        return HttpResponse(FIRST, status=403, content_type=plain)
    return page(request, "accounts/stranger.html", status=403)


def asks_for_page(request: HttpRequest) -> bool:
    """Addresses of pages end with a slash, those of files and streams do not."""
    return request.method in {"GET", "HEAD"} and request.path.endswith("/")


def from_within_a_page(request: HttpRequest) -> HttpResponse:
    """A part of a page cannot be the door: htmx takes the whole page there."""
    try:
        shown = urlsplit(request.headers.get("HX-Current-URL", ""))
    except ValueError:  # A browser sends no such address.
        shown = urlsplit("")
    path = f"{shown.path}?{shown.query}" if shown.query else shown.path
    return HttpResponse(FIRST, status=403, headers={"HX-Redirect": door(path)})


def door(goal: str) -> str:
    """`goal` is checked when somebody comes through, not here; what is too long for
    that check is left out."""
    there = reverse("accounts:sign_in")
    if goal in {"", "/"} or len(goal) > MAX_URL_LENGTH:
        return there
    return f"{there}?{urlencode({'next': goal})}"
