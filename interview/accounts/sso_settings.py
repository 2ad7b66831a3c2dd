"""What signing in through an OpenID provider adds to the settings; no Django in here.

Nothing of the extra `sso` is loaded unless OIDC_URL is set.
"""

from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

INSTALL = ".venv/bin/python -m pip install --require-hashes -r requirements-sso.lock"
APPS = [
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
]
MIDDLEWARE = "allauth.account.middleware.AccountMiddleware"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def wrong(url: str, client_id: str, mode: str) -> str:
    """What is wrong with the settings and what to do, as a sentence; "" if nothing."""
    parts = urlsplit(url)
    safe = parts.scheme == "https" or (
        parts.scheme == "http" and parts.hostname in LOOPBACK
    )
    if not safe or not parts.hostname or parts.query or parts.fragment:
        return (
            f"OIDC_URL is {url!r}: set the provider's issuer, which begins with "
            "https:// and is the address before /.well-known/openid-configuration."
        )
    if not client_id:
        return "OIDC_URL is set: set OIDC_CLIENT_ID, too, as the provider shows it."
    if mode != "shared":
        return (
            "OIDC_URL is set, and a local installation has no sign-in: "
            "set PREFILL_MODE=shared, or leave OIDC_URL unset."
        )
    if not find_spec("allauth"):
        return f"OIDC_URL is set and the extra sso is not installed: run {INSTALL}"
    return ""


def domains(listed: str) -> list[str]:
    return [name for item in listed.split(",") if (name := item.strip().casefold())]


def of_allauth(url: str, name: str, client_id: str, secret: str) -> dict[str, Any]:
    """allauth's own settings: one provider, known by its issuer, and nothing else.

    A subject means something with its issuer alone, so the issuer is the key that
    allauth keeps beside it. Its mails and forms have no address on this site.
    """
    app = {
        "provider_id": url,
        "name": name,
        "client_id": client_id,
        "secret": secret,
        "settings": {"server_url": url},
    }
    return {
        "SOCIALACCOUNT_ADAPTER": "interview.accounts.sso_hooks.Hooks",
        "SOCIALACCOUNT_ONLY": True,
        "SOCIALACCOUNT_PROVIDERS": {
            "openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}
        },
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "ACCOUNT_LOGIN_METHODS": {"email"},
        "ACCOUNT_SIGNUP_FIELDS": ["email*"],
        "ACCOUNT_USER_MODEL_USERNAME_FIELD": None,
        "ACCOUNT_USER_MODEL_EMAIL_FIELD": None,
    }
