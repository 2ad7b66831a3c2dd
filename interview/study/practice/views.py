"""The pages of practice; what is posted there is in posts.py."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.web.content import library
from interview.web.page import page

from ..models import Confidence, Plan
from .end_page import EndPage
from .found import see_other, session_of, step_of
from .home_page import HomePage
from .step_page import Place, StepPage
from .step_state import StepState, card_of
from .turns import go_on, newest_act
from .undoable import Undoable


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    who = person(request)
    found = HomePage.of(who, request.GET, library(), timezone.now())
    return page(request, "study/practice/home.html", {"page": found})


@require_safe
def session(request: HttpRequest, key: UUID) -> HttpResponse:
    """Leads to where the session is."""
    found, step = session_of(request, key), None
    if found.ended_at is None:
        step = go_on(found, Plan.objects.of(found.user), library(), timezone.now())
    if step is None:
        return see_other(reverse("study:session_end", args=[key]))
    return see_other(step.get_absolute_url())


@require_safe
def step(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    found, now = step_of(request, key, position), timezone.now()
    content = library()
    card = card_of(found, content)
    context = {
        "session": found.session,
        "step": found,
        "place": Place.of(found),
        "undo": Undoable.of(newest_act(key), content),
    }
    if card is None:
        return page(request, "study/practice/gone.html", context)
    found.show(now)
    plan = Plan.objects.of(found.session.user)
    state = StepState.of(found, card, plan, now)
    wanted = request.GET.get("at", "")
    if wanted and not state.is_open(wanted):
        return see_other(found.get_absolute_url())
    shown = StepPage.of(state, request.GET, content, plan, now)
    shows_answers = request.GET.get("changed") == "answers"
    if shows_answers and shown.changed and shown.changed.shows_answers:
        found.peek(now)
    context |= {
        "page": shown,
        "card": card,
        "confidences": CONFIDENCES,
        "drill": shown.drill,
        "changed": shown.changed,
        "shows_answers": shows_answers,
        "answers_url": f"?at={shown.stage}&changed=answers",
    }
    return page(request, "study/practice/step.html", context)


CONFIDENCES = [
    (Confidence.SURE, "Sure"),
    (Confidence.UNSURE, "Unsure"),
    (Confidence.GUESS, "A guess"),
]


@require_http_methods(["GET", "HEAD", "POST"])
def end(request: HttpRequest, key: UUID) -> HttpResponse:
    """The end of a session, reached or chosen."""
    found, now = session_of(request, key), timezone.now()
    if request.method == "POST":
        found.end(now)
        return see_other(reverse("study:session_end", args=[key]))
    if found.ended_at is None and found.open_step():
        return see_other(reverse("study:session", args=[key]))
    shown = EndPage.of(found, Plan.objects.of(found.user), library(), now)
    return page(request, "study/practice/end.html", {"page": shown})
