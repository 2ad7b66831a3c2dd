"""What the panel puts before the candidate. Each act keeps what the console's form
sent with it first, and is not done when that is refused."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from interview.accounts.access import person

from ..access import for_interviewers
from ..errors import BankError
from .desk import Desk
from .keeping import keep
from .places import see, to_question
from .sent import number
from .views import desk_of, shown


@require_POST
@for_interviewers
def put(request: HttpRequest, interview_id: UUID, position: int) -> HttpResponse:
    """Field `put`: the id of a follow-up; "" is the question itself."""
    rung_id = request.POST.get("put", "")

    def act(desk: Desk, now: datetime) -> None:
        desk.interview.put(desk.asked, rung_id, now)

    anchor = f"rung-{rung_id}" if rung_id else "question"
    return done(request, interview_id, position, act, anchor)


@require_POST
@for_interviewers
def clear(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """Field `position`: the question that the console shows."""

    def act(desk: Desk, now: datetime) -> None:
        desk.interview.clear()

    return done(request, interview_id, position_in(request), act)


@require_POST
@for_interviewers
def end_interview(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """Scoring goes on; a second time changes nothing."""

    def act(desk: Desk, now: datetime) -> None:
        desk.interview.end(person(request), now)

    return done(request, interview_id, position_in(request), act)


def done(
    request: HttpRequest,
    interview_id: UUID,
    position: int,
    act: Callable[[Desk, datetime], None],
    anchor: str = "",
) -> HttpResponse:
    desk, now = desk_of(request, interview_id, position), timezone.now()
    refused = keep(desk, request.POST, now) if "revision" in request.POST else None
    if refused:
        return shown(request, desk, now, refused, status=refused.status)
    try:
        act(desk, now)
    except BankError as why:
        return shown(request, desk, now, status=409, sentence=str(why))
    return see(to_question(interview_id, position, anchor))


def position_in(request: HttpRequest) -> int:
    """Of the console that the form came from; the first question without one."""
    return number(request.POST.get("position", "")) or 1
