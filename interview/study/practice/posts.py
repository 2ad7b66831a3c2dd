"""What is posted in practice. Each post names what it acts on, is answered by a 303 to
where the session is, and does nothing wrong when it comes twice or late."""

import secrets
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from interview.accounts.access import person
from interview.cards.card import Card
from interview.recall.grade import Grade
from interview.web.content import library
from interview.web.keys import uuid7

from ..filters import Filters
from ..item_name import SPOT_THE_FLAW
from ..models import Act, ActKind, Confidence, Plan, Session, SessionStep
from ..models.session import QUERY_MAX
from ..stage import FLAWS, answered, asked
from . import turns
from .found import see_other, session_of, step_of, to_step
from .opening import Opening, ask_again, begin
from .picks import DUE, FILTER, places
from .step_state import StepState, card_of
from .walk import graded_at, in_order

NOTHING = {
    DUE: "Nothing is due now.",
    FILTER: "No card of this list can be asked. Suspended ones are left out.",
}


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    who, now = person(request), timezone.now()
    opening = opening_of(request)
    found = Session.objects.filter(pk=opening.id).first()
    if found and found.user_id != who.pk:
        raise Http404("There is no such session.")
    what = request.POST.get("what", DUE)
    plan = Plan.objects.of(who)
    chosen = [] if found else places(what, opening.query, plan, library(), now)
    if not found and not chosen:
        messages.info(request, NOTHING.get(what, "There is no further card to ask."))
        return see_other(reverse("study:practice") + opening.query)
    session = found or begin(who, opening, chosen, now)
    return see_other(reverse("study:session", args=[session.pk]))


def opening_of(request: HttpRequest) -> Opening:
    """A form without a readable key opens a session of its own."""
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        key = uuid7()
    given = request.POST.get
    filters = QueryDict(given("query", "").removeprefix("?"))
    query = Filters.read(filters, library().vocabulary).query
    return Opening(
        id=key,
        query=query[:QUERY_MAX] if given("what") == FILTER else "",
        seed=secrets.randbits(32),
        shuffles=given("shuffle") == "on",
        takes_attempts=given("attempts") == "on",
        shows_clock=given("clock") == "on",
    )


@require_POST
def more(request: HttpRequest, key: UUID) -> HttpResponse:
    session = session_of(request, key)
    ask_again(session, Plan.objects.of(session.user), library(), timezone.now())
    return see_other(reverse("study:session", args=[session.pk]))


@require_POST
def reveal(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    """The form of the stage: what was typed and how sure one is come along."""
    step, now = step_of(request, key, position), timezone.now()
    card = card_of(step, library())
    if card is None:
        return to_step(step)
    at = request.POST.get("at", "")
    say(request, keep_attempt(request, step, card))
    feel(request, step)
    stage = turns.reveal(step, card, Plan.objects.of(step.session.user), at, now)
    return to_step(step, stage, flaws_said(request))


def flaws_said(request: HttpRequest) -> dict[str, str]:
    """What one thought of each statement travels in the address to the comparison."""
    said = request.POST.items()
    return {name: str(value) for name, value in said if name.startswith("flaw-")}


@require_POST
def attempt(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    step = step_of(request, key, position)
    card = card_of(step, library())
    if card:
        say(request, keep_attempt(request, step, card))
    return to_step(step, request.POST.get("at", ""))


def keep_attempt(request: HttpRequest, step: SessionStep, card: Card) -> str:
    rung_id, now = request.POST.get("rung", ""), timezone.now()
    state = StepState.of(step, card, Plan.objects.of(step.session.user), now)
    place = FLAWS if rung_id == SPOT_THE_FLAW else asked(rung_id)
    if not state.is_open(place):
        return ""
    return turns.attempt(state, rung_id, request.POST.get("attempt", ""), now)


@require_POST
def confidence(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    step = step_of(request, key, position)
    feel(request, step)
    return to_step(step)


def feel(request: HttpRequest, step: SessionStep) -> None:
    said = request.POST.get("confidence", "")
    if said in Confidence.values:
        step.feel(said)


@require_POST
def grade(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    step, now = step_of(request, key, position), timezone.now()
    card = card_of(step, library())
    rung_id = request.POST.get("rung", "")
    given, turn = request.POST.get("grade", ""), request.POST.get("turn", "")
    known = card is not None and f"{card.id}/{rung_id}".rstrip("/") in (
        card.item_hashes()
    )
    if card is None or not known or given not in list(Grade) or not turn.isdecimal():
        return to_step(step)
    plan = Plan.objects.of(step.session.user)
    sentence = turns.grade(step, card, plan, rung_id, Grade(given), int(turn[:4]), now)
    say(request, sentence)
    if sentence:
        return see_other(reverse("study:session", args=[key]))
    return to_step(step, graded_stage(request, card, rung_id))


def graded_stage(request: HttpRequest, card: Card, rung_id: str) -> str:
    """The question is graded at its short answer or its full one."""
    at = request.POST.get("at", "")
    right = at in in_order(card) and graded_at(at) == rung_id
    return at if right else answered(rung_id) if rung_id else ""


@require_POST
def skip(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    step, now = step_of(request, key, position), timezone.now()
    if card_of(step, library()) is None:
        turns.pass_by(step, now)
    else:
        turns.skip(step, now)
    return see_other(reverse("study:session", args=[key]))


@require_POST
def keep(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    return change(request, step_of(request, key, position), ActKind.KEEP)


@require_POST
def reset(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    return change(request, step_of(request, key, position), ActKind.RESET)


def change(request: HttpRequest, step: SessionStep, kind: ActKind) -> HttpResponse:
    card, rung_id = card_of(step, library()), request.POST.get("rung", "")
    if card and (not rung_id or card.follow_up(rung_id)):
        plan = Plan.objects.of(step.session.user)
        turns.change(step, card, plan, rung_id, kind, timezone.now())
    return to_step(step, request.POST.get("at", ""))


@require_POST
def flag(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    step = step_of(request, key, position)
    on = request.POST.get("flag", "on") == "on"
    turns.mark(step, ActKind.FLAG if on else ActKind.UNFLAG, timezone.now())
    return to_step(step, request.POST.get("at", ""))


@require_POST
def suspend(request: HttpRequest, key: UUID, position: int) -> HttpResponse:
    step = step_of(request, key, position)
    turns.mark(step, ActKind.SUSPEND, timezone.now())
    return see_other(reverse("study:session", args=[key]))


@require_POST
def undo(request: HttpRequest, key: UUID) -> HttpResponse:
    session = session_of(request, key)
    act = act_of(session, request.POST.get("act", ""))
    if act is None:
        say(request, "There is nothing to take back.")
        return see_other(reverse("study:session", args=[key]))
    sentence = turns.undo(act, timezone.now())
    say(request, sentence)
    if sentence or act.step is None:
        return see_other(reverse("study:session", args=[key]))
    act.step.session = session
    at = answered(act.rung_id) if act.kind == ActKind.GRADE and act.rung_id else ""
    return to_step(act.step, at)


def act_of(session: Session, given: str) -> Act | None:
    try:
        key = UUID(given)
    except ValueError:
        return None
    acts = Act.objects.filter(session=session).exclude(kind=ActKind.UNDO)
    return acts.select_related("step", "user", "session").filter(pk=key).first()


def say(request: HttpRequest, sentence: str) -> None:
    if sentence:
        messages.info(request, sentence)
