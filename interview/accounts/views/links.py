"""What a link opens: a place for a new person, or a new password.

Looking at it changes nothing, because programs follow links, too; the button does.
"""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from interview.web.page import page

from ..access import in_shared_mode
from ..attempts import LINK, guess
from ..errors import LinkOver, NameTaken
from ..forms import JoinForm, NewPasswordForm
from ..invitations import Invitation, InvitationQuerySet
from ..unlisted import unlisted
from ..user import User

BACKEND = "django.contrib.auth.backends.ModelBackend"


@login_not_required
@unlisted
@in_shared_mode
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    found = opened(request, Invitation.objects.to_join(), token)
    if found is None:
        return over(request)
    form = JoinForm(posted(request), initial={"name": found.name})
    if form.is_valid():
        name, password = form.cleaned_data["name"], form.cleaned_data["password"]
        try:
            return enter(request, found.accept(name, password, timezone.now()))
        except NameTaken as taken:
            form.add_error("name", str(taken))
        except LinkOver:
            return over(request)
    return draw(request, "accounts/invitation.html", form, found)


@login_not_required
@unlisted
@in_shared_mode
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest, token: str) -> HttpResponse:
    found = opened(request, Invitation.objects.to_a_password(), token)
    if found is None:
        return over(request)
    form = NewPasswordForm(posted(request), person=found.person)
    if form.is_valid():
        try:
            renewed = found.renew(form.cleaned_data["password"], timezone.now())
        except LinkOver:
            return over(request)
        return enter(request, renewed)
    return draw(request, "accounts/password.html", form, found)


def opened(
    request: HttpRequest, among: InvitationQuerySet, token: str
) -> Invitation | None:
    """The link if it is still good; raises TooManyAttempts for a guesser."""
    attempt = guess(request, LINK)
    if found := among.open(timezone.now()).of(token).first():
        attempt.was_right()
    return found


def posted(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def draw(
    request: HttpRequest, template: str, form: NewPasswordForm, found: Invitation
) -> HttpResponse:
    status = 422 if form.is_bound else 200
    context = {"form": form, "link": found}
    return page(request, template, context, status=status)


def enter(request: HttpRequest, somebody: User) -> HttpResponse:
    login(request, somebody, backend=BACKEND)
    return HttpResponseRedirect(reverse("home"), status=303)


def over(request: HttpRequest) -> HttpResponse:
    """One answer for a link that is used, revoked, expired or was never one."""
    return page(request, "accounts/link_over.html", status=404)
