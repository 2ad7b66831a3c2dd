"""What a stream hangs on that has no seat of its own: somebody's sign-in.

A page asks who somebody is at every request; a stream is one request for hours.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest

from interview.accounts.seat import hashed
from interview.accounts.signed_in import SignedIn


@dataclass(frozen=True, slots=True)
class SignIn:
    session_hash: str
    person: UUID


def sign_in_of(request: HttpRequest) -> SignIn | None:
    """None on one's own computer, where nobody signs in."""
    key = request.session.session_key
    if settings.PREFILL_MODE == "local" or not request.user.is_authenticated or not key:
        return None
    return SignIn(hashed(key), request.user.pk)


def holding(asked: Collection[SignIn]) -> set[SignIn]:
    """Those that nobody has ended: one query for all of them."""
    hashes = {each.session_hash for each in asked}
    rows = SignedIn.objects.filter(session_hash__in=hashes, person__is_active=True)
    return {SignIn(*row) for row in rows.values_list("session_hash", "person")}
