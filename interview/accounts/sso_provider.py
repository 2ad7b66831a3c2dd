"""The OpenID provider as allauth speaks to it, with every answer held to the standard.

allauth gives state, PKCE and the exchange of the code; what is believed of the answers
is decided here. Loaded only with OIDC_URL.
"""

from typing import Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from allauth.socialaccount.providers.openid_connect.provider import (
    OpenIDConnectProvider,
)
from allauth.socialaccount.providers.openid_connect.views import (
    OpenIDConnectOAuth2Adapter,
)
from django.http import HttpRequest
from django.urls import reverse
from requests import RequestException

from .sso_errors import Contradiction, Unproven, Unreachable
from .sso_token import claims_of, nonce_of

ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class Client(OAuth2Client):
    def get_redirect_url(
        self, authorization_url: str, scope: list[str], extra_params: dict[str, str]
    ) -> str:
        more = extra_params | {"nonce": nonce_of(str(self.state))}
        url: str = super().get_redirect_url(authorization_url, scope, more)
        return url


class Exchange(OpenIDConnectOAuth2Adapter):
    client_class = Client

    @property
    def openid_config(self) -> dict[str, Any]:
        """The discovery document; its issuer is the one in the settings.

        OpenID Connect Discovery 1.0, section 4.3. A final slash makes no difference:
        providers are at odds with themselves about it.
        """
        if not hasattr(self, "_document"):
            said = fetched(self.get_provider().server_url)
            if missing := [name for name in ENDPOINTS if not said.get(name)]:
                raise Unreachable(f"no {missing[0]} in the discovery document")
            issuer = str(said.get("issuer"))
            if issuer.rstrip("/") != self.provider_id:
                raise Contradiction(f"issuer {issuer}")
            self._document = said
        return self._document

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        return request.build_absolute_uri(reverse("sso:callback"))

    def complete_login(
        self, request: HttpRequest, app: Any, token: Any, **kwargs: Any
    ) -> Any:
        claims = self.claims(app.client_id, kwargs["response"])
        if address := self.openid_config.get("userinfo_endpoint"):
            claims |= self.userinfo(address, token.token, claims["sub"])
        login = self.get_provider().sociallogin_from_response(request, claims)
        login.claims = claims
        return login

    def claims(self, client_id: str, answer: dict[str, Any]) -> dict[str, Any]:
        keys = fetched(self.openid_config["jwks_uri"])
        try:
            return claims_of(
                str(answer.get("id_token")),
                keys,
                issuer=self.openid_config["issuer"],
                client_id=client_id,
                nonce=nonce_of(self.request.GET["state"]),
            )
        except jwt.PyJWTError as error:
            raise Unproven(f"{type(error).__name__}: {error}") from error

    def userinfo(self, address: str, token: str, subject: str) -> dict[str, Any]:
        """OpenID Connect Core 1.0, section 5.3.2: of the same subject, or of nobody."""
        said = fetched(address, headers={"Authorization": f"Bearer {token}"})
        if said.get("sub") != subject:
            raise Contradiction("userinfo of another subject")
        return said


class Provider(OpenIDConnectProvider):
    """What of the answers is kept: the subject, beside the issuer."""

    oauth2_adapter_class = Exchange

    def extract_uid(self, data: dict[str, Any]) -> str:
        return str(data["sub"])

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[Any]:
        return []


def fetched(url: str, **options: Any) -> dict[str, Any]:
    """A JSON object of the provider."""
    try:
        with get_adapter().get_requests_session() as session:
            answer = session.get(url, **options)
            answer.raise_for_status()
            said = answer.json()
    except RequestException as error:
        raise Unreachable(f"{type(error).__name__} at {url}") from error
    if not isinstance(said, dict):
        raise Unreachable(f"no JSON object at {url}")
    return said
