"""The end of what is known of a candidate, and who did what until then."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.web.page import page

from .. import access
from ..models import AuditEntry
from . import forgetting
from .audit_page import AuditPage
from .stored import Stored

NOT_TYPED = "Nothing was changed: type the word {} to go on."


@require_http_methods(["GET", "HEAD", "POST"])
@access.for_interviewers
def anonymise(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    interview = access.managed_interview(request, interview_id)
    if confirms(request, "anonymise"):
        forgetting.anonymise(interview, person(request), timezone.now())
        messages.success(request, "The interview is anonymised.")
        return see("bank:interview", interview_id)
    return ask(request, "bank/anonymise.html", Stored.of(interview), "anonymise")


@require_http_methods(["GET", "HEAD", "POST"])
@access.for_interviewers
def delete(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    me = person(request)
    # The form was sent twice.
    if AuditEntry.objects.about(interview_id).deleted_by(me).exists():
        return see("bank:interviews")
    interview = access.managed_interview(request, interview_id)
    if confirms(request, "delete"):
        forgetting.erase(interview, me, timezone.now())
        messages.success(request, "The interview is deleted.")
        return see("bank:interviews")
    return ask(request, "bank/delete.html", Stored.of(interview), "delete")


@require_safe
@access.for_interviewers
def audit(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    interview = access.audited_interview(request, interview_id)
    entries = AuditEntry.objects.about(interview_id)
    shown = AuditPage.of(interview, entries, request.GET.get("page"))
    return page(request, "bank/audit.html", {"interview": interview, "audit": shown})


def confirms(request: HttpRequest, word: str) -> bool:
    typed = request.POST.get("word", "").strip().lower()
    return request.method == "POST" and typed == word


def ask(request: HttpRequest, template: str, stored: Stored, word: str) -> HttpResponse:
    """The page with the form; 422 when it was sent without the word."""
    error = NOT_TYPED.format(word) if request.method == "POST" else ""
    context = {
        "interview": stored.interview,
        "stored": stored,
        "word": word,
        "error": error,
    }
    return page(request, template, context, status=422 if error else 200)


def see(name: str, *arguments: object) -> HttpResponse:
    return HttpResponseRedirect(reverse(name, args=arguments), status=303)
