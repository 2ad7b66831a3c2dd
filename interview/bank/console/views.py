"""The console of one interviewer: a question, its marks and the notes about it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from interview.accounts.access import person
from interview.web.content import library
from interview.web.page import page
from interview.web.rendering import renderer_of

from ..access import for_interviewers, judged_interview, own_scorecard
from .answers import marks_answer, note_answer, wants_json
from .desk import Desk
from .keeping import Refused, keep, keep_marks, keep_note
from .page import NOTHING, ConsolePage
from .places import see, to_question
from .runs import attachable
from .sent import SentMarks, SentNote

NO_NOTE = "Nothing was sent that could be kept as a note."


@require_safe
@for_interviewers
def console(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """Where the interview is: the question before the candidate, or the first one."""
    interview = judged_interview(request, interview_id)
    now_at = interview.asked_now
    return see(to_question(interview.pk, now_at.question.position if now_at else 1))


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def question(request: HttpRequest, interview_id: UUID, position: int) -> HttpResponse:
    """A POST saves the marks of the question, and the notes that come along. `?seen=`
    is the revision of the interview that a console shows: 204 when it is the newest."""
    desk, now = desk_of(request, interview_id, position), timezone.now()
    if request.method != "POST":
        if request.GET.get("seen") == str(desk.interview.revision):
            return HttpResponse(status=204)
        return shown(request, desk, now)
    if wants_json(request):
        sent = SentMarks.of(request.POST, desk.rungs)
        return marks_answer(desk, keep_marks(desk, sent, now))
    refused = keep(desk, request.POST, now)
    if refused:
        return shown(request, desk, now, refused, status=refused.status)
    return see(to_question(interview_id, position))


@require_POST
@for_interviewers
def note(request: HttpRequest, interview_id: UUID, position: int) -> HttpResponse:
    """One note, in the fields of `SentNote`."""
    desk, now = desk_of(request, interview_id, position), timezone.now()
    sent = next(iter(SentNote.all_of(request.POST)), None)
    if sent is None:
        return shown(request, desk, now, status=422, sentence=NO_NOTE)
    refused = keep_note(desk, sent, now)
    if wants_json(request):
        return note_answer(desk, sent, refused)
    if refused:
        again = Refused(notes=[refused])
        return shown(request, desk, now, again, status=again.status)
    return see(to_question(interview_id, position, f"note-{sent.key}"))


def desk_of(request: HttpRequest, interview_id: UUID, position: int) -> Desk:
    desk = Desk.of(own_scorecard(request, interview_id), position)
    if desk is None:
        raise Http404("The kit of this interview has no such question.")
    return desk


def shown(
    request: HttpRequest,
    desk: Desk,
    now: datetime,
    refused: Refused = NOTHING,
    *,
    status: int = 200,
    sentence: str = "",
) -> HttpResponse:
    """`sentence` says why something else than marks and notes was refused."""
    content = library()
    drawn = ConsolePage.of(desk, content, renderer_of(content), now, refused)
    context: dict[str, Any] = {
        "interview": desk.interview,
        "page": drawn,
        "reader": person(request),
        "runs": attachable(person(request), desk.asked),
        "sentence": sentence,
        "claim": request.POST.get("claim", ""),
    }
    return page(request, "bank/console.html", context, status=status)
