"""The session and the step of an address, when they are the person's own."""

from collections.abc import Mapping
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404

from interview.accounts.access import person

from ..models import Session, SessionStep


def session_of(request: HttpRequest, key: UUID) -> Session:
    """404 for anybody else, whatever their role."""
    mine = Session.objects.of(person(request)).practice().select_related("user")
    return get_object_or_404(mine, pk=key)


def step_of(request: HttpRequest, key: UUID, position: int) -> SessionStep:
    session = session_of(request, key)
    step = session.steps.filter(position=position).first()
    if step is None:
        raise Http404(f"This session has no step {position}.")
    step.session = session
    return step


def to_step(
    step: SessionStep, stage: str = "", said: Mapping[str, str] | None = None
) -> HttpResponse:
    """Its page at a stage; without one, at the furthest. `said` goes along."""
    at = {"at": stage} if stage else {}
    query = urlencode(at | dict(said or {}), safe=":")
    address = step.get_absolute_url()
    return see_other(f"{address}?{query}" if query else address)


def see_other(address: str) -> HttpResponse:
    """What was posted is not posted again by a reload."""
    return HttpResponseRedirect(address, status=303)
