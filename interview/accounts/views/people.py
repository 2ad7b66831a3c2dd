"""The owner's list: who is here, who is invited, and what they may do."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from interview.web.page import page

from ..access import for_owners, in_shared_mode, person
from ..errors import LastOwner
from ..forms import InviteForm, RoleForm
from ..invitations import OPEN_FOR, Invitation
from ..unlisted import unlisted
from ..user import Role, User


@unlisted
@in_shared_mode
@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def people(request: HttpRequest) -> HttpResponse:
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        made, token = Invitation.objects.invite(
            form.cleaned_data["role"],
            timezone.now(),
            name=form.cleaned_data["name"],
            by=person(request),
        )
        return show_once(request, made, "accounts:invitation", token)
    context = {
        "form": form,
        "people": User.objects.order_by("-is_active", "name_key"),
        "roles": Role,
        "invitations": Invitation.objects.open(timezone.now()).select_related(
            "made_by"
        ),
        "days": OPEN_FOR.days,
    }
    status = 422 if form.is_bound else 200
    return page(request, "accounts/people.html", context, status=status)


def show_once(
    request: HttpRequest, made: Invitation, name: str, token: str
) -> HttpResponse:
    """The answer to the form itself: kept nowhere, so a second look shows nothing."""
    address = request.build_absolute_uri(reverse(name, args=[token]))
    context = {"link": made, "address": address}
    return page(request, "accounts/link.html", context)


@unlisted
@in_shared_mode
@require_POST
@for_owners
def role(request: HttpRequest, key: UUID) -> HttpResponse:
    somebody = get_object_or_404(User, pk=key)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["role"][0]))
        return back()
    try:
        somebody.change_role(form.cleaned_data["role"])
    except LastOwner as refused:
        messages.error(request, str(refused))
    return back()


@unlisted
@in_shared_mode
@require_POST
@for_owners
def active(request: HttpRequest, key: UUID) -> HttpResponse:
    """`active=1` lets the person in again, anything else keeps them out."""
    somebody = get_object_or_404(User, pk=key)
    if request.POST.get("active") == "1":
        somebody.activate()
        return back()
    try:
        somebody.deactivate()
    except LastOwner as refused:
        messages.error(request, str(refused))
    return back()


@unlisted
@in_shared_mode
@require_POST
@for_owners
def password_link(request: HttpRequest, key: UUID) -> HttpResponse:
    somebody = get_object_or_404(User, pk=key, is_active=True)
    made, token = Invitation.objects.renew_password(
        somebody, timezone.now(), by=person(request)
    )
    return show_once(request, made, "accounts:password", token)


@unlisted
@in_shared_mode
@require_POST
@for_owners
def revoke(request: HttpRequest, key: UUID) -> HttpResponse:
    get_object_or_404(Invitation, pk=key).revoke(timezone.now())
    return back()


def back() -> HttpResponse:
    return HttpResponseRedirect(reverse("accounts:people"), status=303)
