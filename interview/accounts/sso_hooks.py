"""What allauth asks of the site: how to fetch, who comes in, what an error looks like.

Loaded only with OIDC_URL.
"""

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.base.constants import AuthError
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from requests import RequestException

from .errors import NameTaken
from .sso_errors import Declined, Lost, NotLetIn, Unproven, Unreachable
from .sso_person import names, refusal
from .sso_provider import Provider
from .user import User

BACKEND = "django.contrib.auth.backends.ModelBackend"
SWITCHED_OFF = (
    "Your account here is switched off. If it should be open, ask an owner of this "
    "installation."
)


class Hooks(DefaultSocialAccountAdapter):
    def get_provider(
        self, request: HttpRequest, provider: str, client_id: str | None = None
    ) -> Provider:
        return Provider(request, app=self.get_app(request, provider, client_id))

    def get_requests_session(self) -> Any:
        """With a time limit of allauth's; a redirect is an error."""
        session = super().get_requests_session()
        session.max_redirects = 0
        return session

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: Any) -> Any:
        return sociallogin.user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Everything that follows in allauth is about e-mail addresses and forms that
        this site does not have; whoever gets here is signed in, or not let in."""
        person = self.person(sociallogin)
        login(request, person, backend=BACKEND)
        goal = sociallogin.state.get("next") or reverse("home")
        raise ImmediateHttpResponse(HttpResponseRedirect(goal))

    def person(self, sociallogin: Any) -> User:
        if reason := refusal(sociallogin.claims, settings.OIDC_DOMAINS):
            raise NotLetIn("domain", reason)
        account = sociallogin.account
        person: User = account.user if account.pk else newcomer(account, sociallogin)
        if not person.is_active:
            raise NotLetIn(f"deactivated {person.pk}", SWITCHED_OFF)
        return person

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Provider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        if error == AuthError.CANCELLED:
            raise Declined
        if isinstance(exception, RequestException):
            raise Unreachable(type(exception).__name__) from exception
        if isinstance(exception, OAuth2Error):
            # Its text holds what the provider answered, which may be a token.
            raise Unproven(type(exception).__name__) from exception
        raise Lost(str(request.GET.get("error", ""))[:80])


def newcomer(account: SocialAccount, sociallogin: Any) -> User:
    """The person of a subject that was never here; of two at once there is one."""
    try:
        with transaction.atomic():
            account.user = made(sociallogin.claims)
            account.save()
    except IntegrityError:
        account = SocialAccount.objects.get(provider=account.provider, uid=account.uid)
    person: User = account.user
    return person


def made(claims: dict[str, Any]) -> User:
    for name in names(claims):
        try:
            return User.objects.join(name, None, settings.OIDC_ROLE)
        except NameTaken:
            continue
    raise AssertionError("names do not end")
