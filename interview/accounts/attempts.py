"""Attempts at what can be guessed, counted in the database for all web processes.

It keeps when something was tried and a keyed hash of who tried what, no more.
"""

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from .errors import TooManyAttempts

QUARTER = timedelta(minutes=15)
KEPT_FOR = timedelta(hours=1)
"""Longer than the window of any limit."""


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    """What is tried; attempts at other things are counted apart."""
    most: int
    """Wrong attempts in one window."""
    within: timedelta = QUARTER
    forgives: bool = False
    """A right attempt wipes the wrong ones before it."""

    def free_at(self, earlier: Iterable[datetime], now: datetime) -> datetime | None:
        """When one more attempt is allowed; None when it is now."""
        recent = sorted(at for at in earlier if at > now - self.within)
        return recent[-self.most] + self.within if len(recent) >= self.most else None


SIGN_IN = Limit("sign-in", 10, forgives=True)
"""One name from one address."""
SIGN_IN_ADDRESS = Limit("sign-in from", 100)
"""Any name from one address, behind which a whole class may sit."""
ROOM_CODE = Limit("room code from", 300)
"""Of one address, behind which a whole school may sit; a billion codes are possible."""
LINK = Limit("link from", 30)


@dataclass(frozen=True, slots=True)
class Try:
    limit: Limit
    subject: str
    """Who tries, and what where that counts: an address, a name at an address."""

    @property
    def key(self) -> str:
        said = f"{self.limit.name}\n{self.subject}"
        return salted_hmac("prefill.attempts", said, algorithm="sha256").hexdigest()


class Attempt(models.Model):
    key = models.CharField(max_length=64)
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["key", "at"], name="attempt_key_at")]

    def __str__(self) -> str:
        return f"{self.key[:8]} at {self.at:%H:%M:%S}"


@dataclass(frozen=True, slots=True)
class Begun:
    """Attempts that count as wrong until the caller knows better."""

    tries: Sequence[Try]
    rows: Sequence[Attempt]

    def was_right(self) -> None:
        forgiven = [one.key for one in self.tries if one.limit.forgives]
        Attempt.objects.filter(
            models.Q(pk__in=[row.pk for row in self.rows]) | models.Q(key__in=forgiven)
        ).delete()


def begin(now: datetime, *tries: Try) -> Begun:
    """Count before looking: then many at once cannot all be looked at.

    Raises TooManyAttempts, and then does not count this one.
    """
    Attempt.objects.filter(at__lt=now - KEPT_FOR).delete()
    rows = Attempt.objects.bulk_create([Attempt(key=one.key, at=now) for one in tries])
    free = [at for one, row in zip(tries, rows, strict=True) if (at := wait(one, row))]
    if free:
        Attempt.objects.filter(pk__in=[row.pk for row in rows]).delete()
        raise TooManyAttempts(max(free), now)
    return Begun(tries, rows)


def wait(one: Try, own: Attempt) -> datetime | None:
    since = own.at - one.limit.within
    others = Attempt.objects.filter(key=one.key, at__gt=since).exclude(pk=own.pk)
    return one.limit.free_at(others.values_list("at", flat=True), own.at)


def guess(request: HttpRequest, limit: Limit) -> Begun:
    """One attempt from the address of whoever asks."""
    return begin(timezone.now(), Try(limit, address_of(request)))


def check(request: HttpRequest, limit: Limit) -> None:
    """Refuse whoever has tried too often, and count nothing: for what a whole class
    does rightly at once. What turns out wrong is a `guess` afterwards."""
    now, own = timezone.now(), Try(limit, address_of(request))
    earlier = Attempt.objects.filter(key=own.key, at__gt=now - limit.within)
    if free := limit.free_at(earlier.values_list("at", flat=True), now):
        raise TooManyAttempts(free, now)


def address_of(request: HttpRequest) -> str:
    """The client's address; of IPv6 the network, whose owner has all the addresses."""
    told = request.META.get("REMOTE_ADDR", "")
    try:
        address = ipaddress.ip_address(told.partition("%")[0])
    except ValueError:
        return "unknown"
    if address.version == 4:
        return str(address)
    if mapped := address.ipv4_mapped:
        return str(mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
