"""Who may do what to which object of the bank: every check there is, in one place.

What somebody may not know of is not found (404), so nobody learns that it is there.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from interview.accounts.access import person

from .models import (
    AuditEntry,
    CandidateSeat,
    Evidence,
    Interview,
    Kit,
    Pack,
    Sample,
    Scorecard,
)

FOR_INTERVIEWERS = "The bank is for interviewers: it holds answers and what was asked."


def for_interviewers[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """403 for candidates, whatever they ask for."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not person(request).may_interview:
            raise PermissionDenied(FOR_INTERVIEWERS)
        return view(request, *args, **kwargs)

    return wrapped


def readable_kit(request: HttpRequest, kit_id: UUID) -> Kit:
    return get_object_or_404(Kit.objects.visible_to(person(request)), pk=kit_id)


def own_kit(request: HttpRequest, kit_id: UUID) -> Kit:
    """One that may be edited."""
    return get_object_or_404(Kit.objects.editable_by(person(request)), pk=kit_id)


def own_sample(request: HttpRequest, sample_id: UUID) -> Sample:
    """One that may be retired; every interviewer reads and rates them all."""
    found = Sample.objects.editable_by(person(request))
    return get_object_or_404(found, pk=sample_id)


def may_edit_kit(request: HttpRequest, kit: Kit) -> bool:
    return Kit.objects.editable_by(person(request)).filter(pk=kit.pk).exists()


def visible_interview(request: HttpRequest, interview_id: UUID) -> Interview:
    found = Interview.objects.visible_to(person(request))
    return get_object_or_404(
        found.select_related("version__kit", "owner"), pk=interview_id
    )


def managed_interview(request: HttpRequest, interview_id: UUID) -> Interview:
    """One whose panel, links and life are the person's to decide."""
    found = Interview.objects.managed_by(person(request))
    return get_object_or_404(
        found.select_related("version__kit", "owner"), pk=interview_id
    )


def audited_interview(request: HttpRequest, interview_id: UUID) -> Interview | None:
    """One whose log the person may read: they manage it; an owner of the installation
    also reads that of a deleted one, of which nothing else is left (None)."""
    is_deleted = not Interview.objects.filter(pk=interview_id).exists()
    if is_deleted and person(request).is_owner:
        if not AuditEntry.objects.about(interview_id).exists():
            raise Http404("There was no such interview.")
        return None
    return managed_interview(request, interview_id)


def judged_interview(request: HttpRequest, interview_id: UUID) -> Interview:
    """One on whose panel the person sits."""
    found = Interview.objects.judged_by(person(request))
    return get_object_or_404(
        found.select_related("version__kit", "owner"), pk=interview_id
    )


def own_scorecard(request: HttpRequest, interview_id: UUID) -> Scorecard:
    """That of whoever asks, who sits on the panel."""
    interview = judged_interview(request, interview_id)
    card = Scorecard.objects.of(interview, person(request), timezone.now())
    # It was read with its kit and owner already.
    card.interview = interview
    return card


def own_pack(request: HttpRequest, pack_id: UUID) -> Pack:
    """One that the person brought in and has not let go."""
    found = Pack.objects.fresh(person(request), timezone.now())
    return get_object_or_404(found, pk=pack_id)


def evidence(request: HttpRequest, interview_id: UUID, evidence_id: UUID) -> Evidence:
    """A run that was attached to an interview which the person may see."""
    interview = visible_interview(request, interview_id)
    found = Evidence.objects.filter(interview=interview).select_related(
        "run", "asked__question", "interview"
    )
    return get_object_or_404(found, pk=evidence_id)


def own_evidence(
    request: HttpRequest, interview_id: UUID, evidence_id: UUID
) -> Evidence:
    """One that a member of the panel may show, hide and take away."""
    judged_interview(request, interview_id)
    return evidence(request, interview_id, evidence_id)


def candidate_seat(request: HttpRequest, interview_id: UUID) -> CandidateSeat:
    """The seat of whoever asks, by its cookie alone: no role opens the candidate's
    page, because who reads answers elsewhere shall not mistake it for theirs."""
    interview = get_object_or_404(Interview, pk=interview_id)
    seat = CandidateSeat.objects.of_request(request, interview, timezone.now())
    if seat is None:
        raise Http404("There is no seat here.")
    return seat
