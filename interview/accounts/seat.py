"""A seat: a place somewhere that needs no account.

The seat is a token in a cookie; connections come and go. The table has its hash alone.
"""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.http import HttpResponse

from interview.web.keys import uuid7

COOKIE = "prefill_seat"
KEPT_FOR = timedelta(days=30)
"""A cookie is as old as its seat; a place says itself when it is over."""
TOKEN_BYTES = 16
NAME_LENGTH = 40


class Seat(models.Model):
    """A concrete seat adds the place that it is at."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    token_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Who took it, when that was somebody who is signed in."""
    taken_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    @property
    def is_removed(self) -> bool:
        return self.removed_at is not None


def new_token() -> str:
    """128 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """What the table keeps. The token is random, so one plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def sit_down(response: HttpResponse, token: str, path: str, name: str = COOKIE) -> None:
    """Give the browser its seat, for addresses below `path` alone."""
    response.set_cookie(
        name,
        token,
        max_age=KEPT_FOR,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def stand_up(response: HttpResponse, path: str, name: str = COOKIE) -> None:
    response.delete_cookie(name, path=path)


def is_present(seen_at: datetime | None, now: datetime, within: timedelta) -> bool:
    return seen_at is not None and seen_at > now - within
