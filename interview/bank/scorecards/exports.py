"""Scorecard and debrief to take away: Markdown, JSON, CSV."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from interview.accounts.access import person
from interview.web.rendering import renderer

from ..access import for_interviewers, visible_interview
from ..models import AuditEntry, Interview, Verb
from .debrief import Debrief
from .document import debrief_document, scorecard_document
from .markdown import debrief_markdown, scorecard_markdown
from .review import Review
from .table import scorecards_csv
from .views import own_review

MARKDOWN, CSV = "text/markdown; charset=utf-8", "text/csv; charset=utf-8"


class StillClosed(PermissionDenied):
    """The debrief's file before the debrief is open to whoever asks."""

    def __init__(self, interview_id: UUID) -> None:
        super().__init__(
            "The debrief is closed: it opens to a panel member with their own "
            "submitted scorecard, to others when the whole panel is in."
        )
        self.ways = [(reverse("bank:debrief", args=[interview_id]), "To the debrief")]


@require_safe
@for_interviewers
def scorecard_md(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    review = own_review(request, interview_id)
    response = HttpResponse(scorecard_markdown(review), content_type=MARKDOWN)
    return scorecard_file(request, response, review, "md")


@require_safe
@for_interviewers
def scorecard_json(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    review = own_review(request, interview_id)
    document = scorecard_document(review, timezone.now())
    return scorecard_file(request, as_json(document), review, "json")


@require_safe
@for_interviewers
def scorecard_csv(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    review = own_review(request, interview_id)
    text = scorecards_csv(review.interview, [review.sheet])
    response = HttpResponse(text, content_type=CSV)
    return scorecard_file(request, response, review, "csv")


@require_safe
@for_interviewers
def debrief_md(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    debrief = open_debrief(request, interview_id)
    response = HttpResponse(debrief_markdown(debrief), content_type=MARKDOWN)
    return debrief_file(request, response, debrief, "md")


@require_safe
@for_interviewers
def debrief_json(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    debrief = open_debrief(request, interview_id)
    document = debrief_document(debrief, timezone.now())
    return debrief_file(request, as_json(document), debrief, "json")


@require_safe
@for_interviewers
def debrief_csv(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    debrief = open_debrief(request, interview_id)
    text = scorecards_csv(debrief.interview, debrief.sheets)
    response = HttpResponse(text, content_type=CSV)
    return debrief_file(request, response, debrief, "csv")


def open_debrief(request: HttpRequest, interview_id: UUID) -> Debrief:
    interview = visible_interview(request, interview_id)
    debrief = Debrief.of(interview, person(request), renderer())
    if not debrief.is_open:
        raise StillClosed(interview_id)
    return debrief


def scorecard_file(
    request: HttpRequest, response: HttpResponse, review: Review, kind: str
) -> HttpResponse:
    note_export(request, review.interview, review.card.pk)
    return attached(response, review.interview, f"scorecard.{kind}")


def debrief_file(
    request: HttpRequest, response: HttpResponse, debrief: Debrief, kind: str
) -> HttpResponse:
    me, now = person(request), timezone.now()
    note_export(request, debrief.interview)
    if request.method == "GET" and debrief.holds_others(me):
        AuditEntry.objects.note_sight(me.pk, debrief.interview.pk, now)
    return attached(response, debrief.interview, f"debrief.{kind}")


def note_export(
    request: HttpRequest, interview: Interview, object_id: UUID | None = None
) -> None:
    """A HEAD takes nothing away."""
    if request.method == "GET":
        me, now = person(request), timezone.now()
        AuditEntry.objects.note(me.pk, Verb.EXPORTED, interview.pk, now, object_id)


def as_json(document: dict[str, object]) -> HttpResponse:
    layout = {"indent": 2, "ensure_ascii": False}
    return JsonResponse(document, json_dumps_params=layout)


def attached(response: HttpResponse, interview: Interview, name: str) -> HttpResponse:
    """Under a name that tells nothing of the candidate."""
    named = f"interview-{interview.pk.hex[-4:]}-{name}"
    response["Content-Disposition"] = f'attachment; filename="{named}"'
    return response
