"""What a console that saves in the background is told, as JSON."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from interview.web.clock import clock_text

from ..errors import Changed
from ..models import Note, Score
from .desk import Desk
from .difference import differences
from .keeping import RefusedMarks, RefusedNote
from .rated import rated_words
from .sent import SentNote

JSON = "application/json"


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == JSON


def marks_answer(desk: Desk, refused: RefusedMarks | None) -> JsonResponse:
    """The marks as they are saved now; with the reason and the differences, and 409,
    when those that were sent are not."""
    told = marks_of(desk.score, desk)
    if refused is None:
        return JsonResponse(told)
    told |= refusal(refused) | {
        "differs": [
            {"of": one.of, "saved": one.saved, "sent": one.sent}
            for one in differences(desk, refused.sent)
        ]
    }
    return JsonResponse(told, status=409)


def marks_of(score: Score, desk: Desk) -> dict[str, Any]:
    return {
        "revision": score.revision,
        "marks": score.marks,
        "hinted": score.hinted,
        "said": score.said,
        "not_asked": score.not_asked,
        "rated": rated_words(score, desk.rungs),
        "saved": time_now(),
    }


def note_answer(
    desk: Desk, sent: SentNote, refused: RefusedNote | None
) -> JsonResponse:
    """The note as it is saved now; with the reason, and 409 or 422, when that is not
    what was sent."""
    saved = desk.score.notes.filter(pk=sent.key).first()
    told = note_of(sent, saved)
    if refused is None:
        return JsonResponse(told)
    return JsonResponse(told | refusal(refused), status=refused.status)


def note_of(sent: SentNote, saved: Note | None) -> dict[str, Any]:
    return {
        "key": str(sent.key),
        "revision": saved.revision if saved else 0,
        "text": saved.text if saved else "",
        "about": saved.rung_id if saved else "",
        "at": clock_text(saved.at_s) if saved else "",
        "saved": time_now(),
    }


def refusal(refused: RefusedMarks | RefusedNote) -> dict[str, Any]:
    return {
        "sentence": str(refused.why),
        "is_final": not isinstance(refused.why, Changed),
    }


def time_now() -> str:
    return f"{timezone.localtime():%H:%M:%S}"
