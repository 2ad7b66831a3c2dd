"""Where a person is signed in: one row a session, by the hash of its key.

A session without its row is over, whatever the session itself says; so a row that is
taken away ends one that somebody else's browser holds.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user, update_session_auth_hash
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import models, transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from interview.web.keys import uuid7

from .browsers import browser_in_words
from .seat import hashed
from .user import User


class SignedInQuerySet(models.QuerySet["SignedIn"]):
    def of_key(self, session_key: str | None) -> "SignedInQuerySet":
        return self.filter(session_hash=hashed(session_key or ""))

    def outdated(self, now: datetime) -> "SignedInQuerySet":
        """Rows whose sessions have expired by themselves."""
        age = timedelta(seconds=settings.SESSION_COOKIE_AGE) + timedelta(hours=1)
        return self.filter(seen_at__lt=now - age)


class SignedIn(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="signed_in")
    session_hash = models.CharField(max_length=64, unique=True)
    browser = models.CharField(max_length=60)
    since = models.DateTimeField()
    seen_at = models.DateTimeField()
    """To the hour: more is nobody's business, and would be a write per request."""

    objects = SignedInQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "signed in"
        ordering = ["-seen_at", "-since"]

    def __str__(self) -> str:
        return f"{self.person} with {self.browser}"

    def see(self, now: datetime) -> bool:
        """Whether this is the first time in this hour."""
        hour = to_the_hour(now)
        older = SignedIn.objects.filter(pk=self.pk, seen_at__lt=hour)
        return self.seen_at < hour and older.update(seen_at=hour) > 0


def to_the_hour(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0)


def person_of(request: HttpRequest, now: datetime) -> User | AnonymousUser:
    """Whoever the session of the request belongs to, as long as it holds."""
    person = get_user(request)
    if not isinstance(person, User):
        return AnonymousUser()
    rows = SignedIn.objects.of_key(request.session.session_key)
    row = rows.filter(person=person).first()
    if row is None:
        request.session.flush()
        return AnonymousUser()
    if row.see(now):
        # Saved anew, so that whoever comes regularly stays signed in.
        request.session.modified = True
    return person


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    now = timezone.now()
    SignedIn.objects.outdated(now).delete()
    request.session.clear_expired()
    if request.session.session_key is None:
        request.session.save()
    session_hash = hashed(request.session.session_key or "")
    # Somebody else's session in this browser ended as this one began.
    before = SignedIn.objects.of_key(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    before.exclude(session_hash=session_hash).delete()
    SignedIn.objects.update_or_create(
        session_hash=session_hash,
        defaults={
            "person": user,
            "browser": browser_in_words(request.META.get("HTTP_USER_AGENT", "")),
            "since": now,
            "seen_at": to_the_hour(now),
        },
    )


@receiver(user_logged_out)
def note_sign_out(request: HttpRequest, **kwargs: Any) -> None:
    SignedIn.objects.of_key(request.session.session_key).delete()


@transaction.atomic
def keep_this_alone(request: HttpRequest, person: User) -> None:
    """After a new password: this session goes on under a new key, the others end."""
    mine = SignedIn.objects.of_key(request.session.session_key).first()
    update_session_auth_hash(request, person)
    others = person.signed_in.exclude(pk=mine.pk) if mine else person.signed_in.all()
    others.delete()
    if mine:
        mine.session_hash = hashed(request.session.session_key or "")
        mine.save(update_fields=["session_hash"])
