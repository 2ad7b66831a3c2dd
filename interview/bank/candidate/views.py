"""The candidate's pages: the brief by a link, then the question that is asked.

They carry no navigation, whoever's browser it is: on a local installation everybody is
its owner, and nobody shall come from here to an answer.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.attempts import LINK, guess
from interview.accounts.seat import is_present, sit_down
from interview.accounts.unlisted import unlisted
from interview.web.page import page

from ..access import candidate_seat
from ..errors import BankError
from ..models import CandidateLink, CandidateSeat, Interview
from .brief import Brief
from .surface import Surface

BARE = {"nav": (), "me": None, "endpoint": None}
SEEN_EVERY = timedelta(seconds=10)
"""An open page asks more often; so often it is written down."""


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@unlisted
def brief(request: HttpRequest, token: str) -> HttpResponse:
    """A look takes no seat, because programs follow links, too; the button does."""
    attempt, now = guess(request, LINK), timezone.now()
    link = CandidateLink.objects.of_token(token, now)
    if link is None:
        return bare(request, "bank/candidate/no_link.html", status=404)
    attempt.was_right()
    interview = link.interview
    if request.method == "POST" and not interview.is_over:
        try:
            return sit(link)
        except BankError as refused:
            return brief_page(request, interview, str(refused), status=409)
    return brief_page(request, interview)


def brief_page(
    request: HttpRequest, interview: Interview, problem: str = "", status: int = 200
) -> HttpResponse:
    context = {"brief": Brief.of(interview), "problem": problem}
    return bare(request, "bank/candidate/brief.html", context, status=status)


def sit(link: CandidateLink) -> HttpResponse:
    _, token = CandidateSeat.objects.take(link, timezone.now())
    address = reverse("candidate:surface", args=[link.interview_id])
    response = HttpResponseRedirect(address, status=303)
    sit_down(response, token, address)
    return response


@login_not_required
@require_safe
def surface(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """`?revision=` is what an open page shows: 204 while there is nothing newer."""
    now = timezone.now()
    try:
        seat = candidate_seat(request, interview_id)
    except Http404:
        return no_seat(request)
    if not is_present(seat.seen_at, now, SEEN_EVERY):
        seat.see(now)
    interview = seat.interview
    asks_for_news = request.headers.get("HX-Request") == "true"
    if asks_for_news and request.GET.get("revision") == str(interview.revision):
        return HttpResponse(status=204)
    context = {"surface": Surface.of(interview)}
    return bare(request, "bank/candidate/surface.html", context, part="now")


def no_seat(request: HttpRequest) -> HttpResponse:
    """One answer, whether or not there is such an interview; an open page that lost
    its seat takes all of it."""
    response = bare(request, "bank/candidate/no_seat.html", status=404)
    response.headers["HX-Refresh"] = "true"
    return response


def bare(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    **options: Any,
) -> HttpResponse:
    return page(request, template, BARE | (context or {}), **options)
