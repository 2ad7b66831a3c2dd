"""Whom the header names: whoever is signed in to a shared installation."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from interview.web.context import is_known


def me(request: HttpRequest) -> dict[str, Any]:
    """`me`: None on a local installation, where there is one person only."""
    named = settings.PREFILL_MODE == "shared" and is_known(request)
    return {"me": request.user if named else None}
