"""One's scorecard from its review to its submission, and the panel's debrief."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from interview.accounts.access import person
from interview.web.page import page
from interview.web.rendering import renderer

from ..access import for_interviewers, own_scorecard, visible_interview
from ..console.sent import SentMarks
from ..errors import BankError, Changed, Frozen
from ..models import AuditEntry
from .debrief import Debrief
from .forms import ReasonForm, SummaryForm
from .review import Review
from .revising import Revising
from .sheet import Entry

NOT_YET = "The summary comes last: mark every question first. Your text is below."


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def review(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """A post saves the summary: fields `summary` and `revision`."""
    shown = own_review(request, interview_id)
    if request.method != "POST":
        return review_page(request, shown)
    form = SummaryForm(request.POST)
    if not form.is_valid():
        return review_page(request, shown, form, status=422)
    if not shown.is_ready:
        return review_page(request, shown, form, NOT_YET, status=422)
    try:
        shown.card.write_summary(*form.given)
    except BankError as error:
        return refused(request, interview_id, form, error)
    messages.success(request, "Your summary is saved.")
    return see("bank:review", interview_id)


@require_POST
@for_interviewers
def submit(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """Fields `summary` and `revision`, so that what was typed goes in with it."""
    shown = own_review(request, interview_id)
    form = SummaryForm(request.POST)
    if not form.is_valid():
        return review_page(request, shown, form, status=422)
    rungs = {each.asked.pk: each.for_rating for each in shown.questions}
    try:
        shown.card.submit(rungs, timezone.now(), form.given)
    except BankError as error:
        return refused(request, interview_id, form, error)
    return see("bank:debrief", interview_id)


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def revise(request: HttpRequest, interview_id: UUID, position: int) -> HttpResponse:
    """Fields `mark-<follow-up>`, `hinted`, `said`, `not_asked`, `reason`, `revision`;
    before submission the review has the way to the console."""
    shown = own_review(request, interview_id)
    entry = entry_at(shown, position)
    if not shown.card.is_in:
        return see("bank:review", interview_id)
    question = entry.question
    if request.method != "POST":
        return revise_page(request, entry, SentMarks.of_score(entry.score))
    form = ReasonForm(request.POST)
    sent = SentMarks.of(request.POST, question.for_rating)
    if not form.is_valid():
        return revise_page(request, entry, sent, form, status=422)
    try:
        made = entry.score.revise(
            question.for_rating,
            question.wrong_ids,
            sent,
            form.cleaned_data["reason"],
            timezone.now(),
        )
    except BankError as error:
        entry = entry_at(own_review(request, interview_id), position)
        status = 409 if isinstance(error, Changed) else 422
        return revise_page(request, entry, sent, form, str(error), status)
    done = "The revision is in." if made else "Nothing differs, so nothing was revised."
    messages.info(request, done)
    return see("bank:review", interview_id, f"question-{position}")


@require_safe
@for_interviewers
def debrief(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """`?order=kit` for the kit's order, else the widest spread first."""
    interview, me = visible_interview(request, interview_id), person(request)
    shown = Debrief.of(interview, me, renderer())
    if request.method == "GET" and shown.holds_others(me):
        AuditEntry.objects.note_sight(me.pk, interview.pk, timezone.now())
    order = request.GET.get("order", "")
    context = {
        "interview": interview,
        "debrief": shown,
        "questions": shown.in_order(order),
        "order": order,
        "on_panel": interview.panel.filter(user=me).exists(),
    }
    return page(request, "bank/debrief.html", context)


@require_safe
@for_interviewers
def scorecard_print(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    shown = own_review(request, interview_id)
    context = {"interview": shown.interview, "review": shown}
    return page(request, "bank/scorecard_print.html", context)


def own_review(request: HttpRequest, interview_id: UUID) -> Review:
    card = own_scorecard(request, interview_id)
    return Review.of(card.interview, card, renderer())


def entry_at(shown: Review, position: int) -> Entry:
    entry = shown.entry(position)
    if entry is None:
        raise Http404("This interview has no such question.")
    return entry


def review_page(
    request: HttpRequest,
    shown: Review,
    form: SummaryForm | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """`form` is what was sent and is not saved."""
    saved = shown.card.summary_revision
    # Who is told of a change has seen what is saved.
    read = form["revision"].value() if form and status != 409 else saved
    context = {
        "interview": shown.interview,
        "review": shown,
        "form": form,
        "error": error,
        "revision": read,
    }
    return page(request, "bank/review.html", context, status=status)


def refused(
    request: HttpRequest, interview_id: UUID, form: SummaryForm, error: BankError
) -> HttpResponse:
    """As it stands now, with what was sent."""
    status = 409 if isinstance(error, Changed | Frozen) else 422
    shown = own_review(request, interview_id)
    return review_page(request, shown, form, str(error), status)


def revise_page(
    request: HttpRequest,
    entry: Entry,
    sent: SentMarks,
    form: ReasonForm | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "interview": entry.question.asked.interview,
        "revising": Revising.of(entry, sent),
        "form": form,
        "error": error,
        # Who is told of a change has seen what is saved.
        "revision": entry.score.revision if status == 409 else sent.revision,
    }
    return page(request, "bank/revise.html", context, status=status)


def see(name: str, interview_id: UUID, anchor: str | None = None) -> HttpResponse:
    address = reverse(name, args=[interview_id], fragment=anchor)
    return HttpResponseRedirect(address, status=303)
