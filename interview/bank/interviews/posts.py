"""What an interview's forms do: each may come twice, or late, and does it once."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from interview.accounts.access import person

from ..access import for_interviewers, managed_interview
from ..errors import BankError, Changed
from .forms import EditForm
from .listing import key_of
from .views import interview_page, see


@require_POST
@for_interviewers
def edit_interview(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    found, today = managed_interview(request, interview_id), timezone.localdate()
    form = EditForm(found, today, request.POST)
    if not form.is_valid():
        return interview_page(request, found, form, status=422)
    try:
        found.change(person(request), now=timezone.now(), **form.cleaned_data)
    except Changed as changed:
        found.refresh_from_db()
        # Who sends it again has seen what is saved.
        sent = request.POST.copy()
        sent["setup"] = found.setup
        form, problem = EditForm(found, today, sent), str(changed)
        return interview_page(request, found, form, problem=problem, status=409)
    except BankError as refused:
        form.add_error("panel", str(refused))
        return interview_page(request, found, form, status=422)
    messages.success(request, "Saved.")
    return see(found)


@require_POST
@for_interviewers
def make_link(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    """The answer itself shows the link: it is kept nowhere, so a second look has none.
    Field `key`: the same form sent again, as by a reload, shows the same link."""
    found, now = managed_interview(request, interview_id), timezone.now()
    form = EditForm(found, timezone.localdate())
    key = key_of(request.POST.get("key", ""))
    try:
        _, token = found.make_link(person(request), now, key)
    except BankError as refused:
        told = str(refused)
        return interview_page(request, found, form, link_problem=told, status=409)
    address = request.build_absolute_uri(reverse("candidate:brief", args=[token]))
    return interview_page(request, found, form, address=address)


@require_POST
@for_interviewers
def revoke_link(request: HttpRequest, interview_id: UUID) -> HttpResponse:
    found = managed_interview(request, interview_id)
    found.revoke_link(person(request), timezone.now())
    messages.success(request, "The link is revoked: it opens nothing any more.")
    return see(found)
