"""What a mock interview's forms do: each may come twice, or late, and does it once."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_POST

from interview.accounts.access import person
from interview.cards.card import Audience, Card
from interview.recall.grade import Grade
from interview.web.content import library

from ..models import Act, Attempt, Mock, SessionStep
from .places import see, to_mock, to_question
from .question import NOT_GRADED, grades_of
from .views import own_mock

HERE = "now"
"""The anchor of what is to be answered, or graded, next."""
MOST_DIGITS = 4
"""Of a position or a turn; a longer number is nobody's."""
LATE = "The interview had gone on when this came, so it was not kept: “{text}”"
NOT_ASKED = "That grade was not kept: it fits none of your answers here."


@require_POST
def go_on(request: HttpRequest, mock_id: UUID, position: int) -> HttpResponse:
    """Field `rung`: where the person is. `go=pass` leaves the rest of the question."""
    mock = own_mock(request, mock_id)
    step = step_of(mock, position)
    rung_id, text = request.POST.get("rung", ""), request.POST.get("text", "")
    passes = request.POST.get("go") == "pass"
    mock.go_on(position, rung_id, text, card_of(step), timezone.now(), passes=passes)
    tell_late(request, step)
    now_at = mock.current()
    if now_at is None:
        return see(to_mock(mock))
    same = now_at.position == position
    return see(to_question(mock, now_at.position, HERE if same else ""))


@require_POST
def write(request: HttpRequest, mock_id: UUID, position: int) -> HttpResponse:
    """Keep what was typed; nothing moves."""
    mock = own_mock(request, mock_id)
    step = step_of(mock, position)
    rung_id, text = request.POST.get("rung", ""), request.POST.get("text", "")
    mock.write(position, rung_id, text, card_of(step), timezone.now())
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    tell_late(request, step)
    return see(to_question(mock, position, HERE))


@require_POST
def end(request: HttpRequest, mock_id: UUID) -> HttpResponse:
    """With what was typed meanwhile, in the fields of `go_on` and `position`."""
    mock, now = own_mock(request, mock_id), timezone.now()
    # Positions begin at 1.
    position = number(request.POST.get("position", "")) or 0
    step = mock.in_order().filter(position=position).first()
    if step:
        rung_id, text = request.POST.get("rung", ""), request.POST.get("text", "")
        mock.write(step.position, rung_id, text, card_of(step), now)
        tell_late(request, step)
    mock.end(now)
    return see(to_mock(mock))


def tell_late(request: HttpRequest, step: SessionStep) -> None:
    """What was typed and is not kept is given back."""
    rung_id, text = request.POST.get("rung", ""), request.POST.get("text", "")
    if not Attempt.objects.holds(step, rung_id, text):
        messages.info(request, LATE.format(text=text.strip()))


@require_POST
def grade(request: HttpRequest, mock_id: UUID, position: int) -> HttpResponse:
    """Fields `rung`, `grade` and `turn`; a second grade of a turn changes nothing, and
    who gives another one is told."""
    mock, now = own_mock(request, mock_id), timezone.now()
    step = step_of(mock, position)
    card, rung_id = card_of(step), request.POST.get("rung", "")
    given, turn = request.POST.get("grade", ""), number(request.POST.get("turn", ""))
    logged = None
    if card and given in tuple(Grade) and turn is not None:
        shown = grades_of(mock)[position].get(rung_id, NOT_GRADED)
        if turn <= shown.turn:
            logged = mock.grade(step, card, rung_id, Grade(given), turn, now)
    if logged is None:
        messages.info(request, NOT_ASKED)
    elif not logged[1] and logged[0].grade != given:
        messages.info(request, logged[0].already)
    return see(to_question(mock, position, HERE))


@require_POST
def say(request: HttpRequest, mock_id: UUID, position: int) -> HttpResponse:
    """Field `wrong` with its id; `said=1` ticks it, anything else takes that back."""
    mock = own_mock(request, mock_id)
    card = card_of(step_of(mock, position))
    wrong = card.wrong_answer(request.POST.get("wrong", "")) if card else None
    if wrong is None:
        return see(to_question(mock, position))
    mock.say(position, wrong.id, said=request.POST.get("said") == "1")
    return see(to_question(mock, position, f"wrong-{wrong.id}"))


@require_POST
def undo(request: HttpRequest, mock_id: UUID) -> HttpResponse:
    """Field `act`: the grade that is taken back."""
    mock = own_mock(request, mock_id)
    acts = Act.objects.of(person(request)).grades().filter(session=mock.pk)
    try:
        act = acts.select_related("step").get(pk=request.POST.get("act", ""))
    except (Act.DoesNotExist, ValidationError) as error:
        raise Http404("This mock interview has no such grade.") from error
    Act.objects.undo(act, timezone.now())
    if act.step is None:
        return see(to_mock(mock))
    return see(to_question(mock, act.step.position, HERE))


def number(typed: str) -> int | None:
    """None for what is none that a form of ours holds."""
    fits = typed.isdecimal() and len(typed) <= MOST_DIGITS
    return int(typed) if fits else None


def step_of(mock: Mock, position: int) -> SessionStep:
    return get_object_or_404(mock.in_order(), position=position)


def card_of(step: SessionStep) -> Card | None:
    return library().visible(step.card_id, Audience.CANDIDATE)
