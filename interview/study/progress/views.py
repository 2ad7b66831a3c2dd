"""The pages of progress: what this person did, and nobody else's."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from interview.accounts.access import person
from interview.web.content import library
from interview.web.page import page

from ..models import Plan
from .goal import Chosen
from .history import History
from .page import ProgressPage
from .recalled import Recalled


@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    content, now = library(), timezone.now()
    plan = Plan.objects.of(person(request))
    chosen = Chosen.read(request.GET, plan, content.vocabulary, plan.today(now))
    found = ProgressPage.of(plan, chosen, content, now)
    return page(request, "study/progress/progress.html", {"page": found, "plan": plan})


@require_safe
def recalled(request: HttpRequest) -> HttpResponse:
    """Loaded into the page of progress, or a page of its own without JavaScript."""
    found = Recalled.of(Plan.objects.of(person(request)), timezone.now())
    template = "study/progress/recalled.html"
    return page(request, template, {"recalled": found}, part="recalled")


@require_safe
def history(request: HttpRequest, card_id: str) -> HttpResponse:
    plan = Plan.objects.of(person(request))
    found = History.of(plan, card_id, library(), timezone.now())
    return page(request, "study/progress/history.html", {"history": found})
