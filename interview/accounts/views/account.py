"""One's own account: name, time zone, password, and where one is signed in."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from interview.web.page import page

from ..access import in_shared_mode, person
from ..errors import NameTaken, TooManyAttempts
from ..forms import AboutMeForm, ChangePasswordForm
from ..limited import too_many
from ..signed_in import SignedIn, keep_this_alone
from ..unlisted import unlisted
from .sign_in import attempt_at

WRONG_OLD = "That is not your present password."


@unlisted
@in_shared_mode
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return draw(request)
    me, form = person(request), AboutMeForm(request.POST)
    if form.is_valid():
        try:
            me.introduce(**form.cleaned_data)
        except NameTaken as taken:
            form.add_error("name", str(taken))
        else:
            messages.success(request, "Kept.")
            return back()
    return draw(request, about=form)


@unlisted
@in_shared_mode
@sensitive_post_parameters("old", "password", "again")
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    me = person(request)
    form = ChangePasswordForm(request.POST, person=me)
    if not form.is_valid():
        return draw(request, password=form)
    try:
        attempt = attempt_at(request, me.name)
    except TooManyAttempts as refused:
        form.add_error("old", str(refused))
        return too_many(refused, draw(request, password=form))
    if not me.check_password(form.cleaned_data["old"]):
        form.add_error("old", WRONG_OLD)
        return draw(request, password=form)
    attempt.was_right()
    me.change_password(form.cleaned_data["password"])
    keep_this_alone(request, me)
    messages.success(request, "Your password is new. All your other sessions ended.")
    return back()


@unlisted
@in_shared_mode
@require_POST
def end_session(request: HttpRequest, key: UUID) -> HttpResponse:
    get_object_or_404(person(request).signed_in, pk=key).delete()
    return back()


@unlisted
@in_shared_mode
@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Sign out everywhere, here as well."""
    person(request).signed_in.all().delete()
    logout(request)
    return HttpResponseRedirect(reverse("accounts:sign_in"), status=303)


def draw(
    request: HttpRequest,
    about: AboutMeForm | None = None,
    password: ChangePasswordForm | None = None,
) -> HttpResponse:
    me = person(request)
    # What a refused form wrote on the person is no fact; the header reads the person.
    known = {"name": me.name, "time_zone": me.time_zone}
    context: dict[str, Any] = {
        "about": about or AboutMeForm(initial=known),
        "password": password or ChangePasswordForm(),
        "has_password": me.has_usable_password(),
        "sessions": me.signed_in.all(),
        "this": SignedIn.objects.of_key(request.session.session_key).first(),
    }
    status = 422 if about or password else 200
    return page(request, "accounts/account.html", context, status=status)


def back() -> HttpResponse:
    return HttpResponseRedirect(reverse("accounts:account"), status=303)
