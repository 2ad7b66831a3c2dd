"""To the OpenID provider and back; loaded only with OIDC_URL."""

import logging

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET, require_POST

from interview.web.page import page

from .attempts import Limit, guess
from .sso_errors import SsoError
from .sso_provider import Exchange
from .unlisted import unlisted
from .views.sign_in import goal_of

log = logging.getLogger(__name__)

LIMIT = Limit("sign-in at the provider from", 100, forgives=True)
"""Each makes this server ask the provider something."""


@login_not_required
@unlisted
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """A page that goes on to the provider by itself.

    A redirect would need exceptions from `form-action` for every host on the way, and
    a provider may send people on to another one.
    """
    guess(request, LIMIT)
    try:
        provider = get_adapter().get_provider(request, settings.OIDC_URL)
        there = provider.redirect(request, AuthProcess.LOGIN, next_url=goal_of(request))
    except SsoError as error:
        return told(request, error)
    context = {"address": there.url, "name": settings.OIDC_NAME}
    return page(request, "accounts/sso_onward.html", context)


@login_not_required
@unlisted
@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    attempt = guess(request, LIMIT)
    try:
        exchange = Exchange(request, settings.OIDC_URL)
        response: HttpResponse = OAuth2CallbackView.adapter_view(exchange)(request)
    except SsoError as error:
        return told(request, error)
    attempt.was_right()
    return response


def told(request: HttpRequest, error: SsoError) -> HttpResponse:
    log.warning(
        "A sign-in at the provider was refused: %s %s", type(error).__name__, error
    )
    context = {"error": error, "name": settings.OIDC_NAME}
    return page(request, "accounts/sso_refused.html", context, status=error.status)
