"""Runs of the lab as evidence to a question."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from interview.accounts.access import person
from interview.lab.models import Kind, Run
from interview.lab.pages import page_context
from interview.web.page import page

from ..access import evidence, for_interviewers, own_evidence
from ..models import Evidence
from .acts import done
from .desk import Desk
from .sent import plain

ANCHOR = "evidence"


@require_POST
@for_interviewers
def attach(request: HttpRequest, interview_id: UUID, position: int) -> HttpResponse:
    """Fields `run`, the slug of a run that the person may see, and `claim`."""

    def act(desk: Desk, now: datetime) -> None:
        mine = Run.objects.visible_to(person(request))
        run = get_object_or_404(mine.named(request.POST.get("run", "")))
        claim = plain(request.POST.get("claim", "")).strip()
        Evidence.objects.attach(desk.asked, run, claim, person(request), now)

    return done(request, interview_id, position, act, ANCHOR)


@require_safe
@for_interviewers
def evidence_run(
    request: HttpRequest, interview_id: UUID, evidence_id: UUID
) -> HttpResponse:
    """The run as the panel sees it; who may not open it in the lab reads it here."""
    found = evidence(request, interview_id, evidence_id)
    context = page_context(found.run) | {
        "evidence": found,
        "interview": found.interview,
        "imported": found.run.kind == Kind.IMPORTED,
    }
    return page(request, "bank/evidence_run.html", context)


@require_POST
@for_interviewers
def show_evidence(
    request: HttpRequest, interview_id: UUID, evidence_id: UUID
) -> HttpResponse:
    """Field `shown`: "1" shows it to the candidate, anything else does not."""
    verb = Evidence.show if request.POST.get("shown") == "1" else Evidence.hide
    return on(request, interview_id, evidence_id, verb)


@require_POST
@for_interviewers
def remove_evidence(
    request: HttpRequest, interview_id: UUID, evidence_id: UUID
) -> HttpResponse:
    return on(request, interview_id, evidence_id, Evidence.remove)


def on(
    request: HttpRequest,
    interview_id: UUID,
    evidence_id: UUID,
    verb: Callable[[Evidence], None],
) -> HttpResponse:
    found = own_evidence(request, interview_id, evidence_id)
    position = found.asked.question.position
    return done(request, interview_id, position, lambda desk, now: verb(found), ANCHOR)
