"""The list of interviews, the form that plans one, and where one stands."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.web.keys import uuid7
from interview.web.page import page

from ..access import for_interviewers, visible_interview
from ..models import Interview
from .forms import EditForm, PlanForm
from .listing import STATES, WHOSE, Listing, key_of
from .standing import InterviewPage


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def interviews(request: HttpRequest) -> HttpResponse:
    """`?kit=` fills the form in, too."""
    me, today = person(request), timezone.localdate()
    if request.method == "POST":
        form = PlanForm(me, today, request.POST)
        if form.is_valid() and (made := form.plan(timezone.now())):
            return see(made)
        return interviews_page(request, form, status=422)
    kit = key_of(request.GET.get("kit", ""))
    first = {"key": uuid7(), "kit": kit, "panel": [me], "held_on": today}
    return interviews_page(request, PlanForm(me, today, initial=first))


def interviews_page(
    request: HttpRequest, form: PlanForm, status: int = 200
) -> HttpResponse:
    listing = Listing.of(person(request), request.GET, timezone.localdate())
    context = {"form": form, "listing": listing, "states": STATES, "whose": WHOSE}
    template = "bank/interviews.html"
    return page(request, template, context, part="interviews", status=status)


@require_safe
@for_interviewers
def interview(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    found = visible_interview(request, interview_id)
    return interview_page(request, found, EditForm(found, timezone.localdate()))


def interview_page(
    request: HttpRequest,
    found: Interview,
    form: EditForm,
    *,
    address: str = "",
    problem: str = "",
    link_problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """`address` is the candidate's link when it was made just now; `problem` says why
    the form was refused, `link_problem` why no link was made."""
    standing = InterviewPage.of(found, person(request), timezone.now())
    context = {
        "interview": found,
        "page": standing,
        "form": form,
        "address": address,
        "link_key": uuid7(),
        "problem": problem,
        "link_problem": link_problem,
    }
    return page(request, "bank/interview.html", context, status=status)


def see(interview: Interview, anchor: str = "") -> HttpResponseRedirect:
    address = reverse("bank:interview", args=[interview.pk])
    return HttpResponseRedirect(address + anchor, status=303)
