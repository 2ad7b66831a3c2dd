"""What the candidate is sent: its token is kept nowhere."""

from base64 import urlsafe_b64encode
from datetime import date, datetime, timedelta
from typing import Self
from uuid import UUID

from django.db import models, transaction
from django.utils.crypto import salted_hmac

from interview.accounts.seat import TOKEN_BYTES, hashed, new_token
from interview.web.keys import uuid7

from ..errors import Changed
from .interview import Interview

LINK_LASTS = timedelta(days=14)
"""After the day of the interview."""
ENDED = (
    "The link that this form made has ended since: it was revoked, or a newer one was "
    "made. Make another one when the candidate has none that opens."
)


class CandidateLinks(models.QuerySet["CandidateLink"]):
    @transaction.atomic
    def make(
        self, interview: Interview, now: datetime, key: UUID | None = None
    ) -> tuple["CandidateLink", str]:
        """A link and its token, of which the hash alone is kept; older ones end. Frozen
        when nobody is known to send it to. `key` is that of the form."""
        held = interview.hold()
        Interview.objects.refuse_anonymised(held.pk)
        self.filter(interview=held, revoked_at=None).update(revoked_at=now)
        token = token_of(held, key) if key else new_token()
        made = self.create(
            interview=held,
            token_hash=hashed(token),
            made_at=now,
            expires_at=link_ends(held.held_on, now),
        )
        return made, token

    def of_form(
        self, interview: Interview, key: UUID
    ) -> tuple["CandidateLink", str] | None:
        """What a form with this key made before. Changed when it opens nothing now."""
        token = token_of(interview, key)
        made = self.filter(interview=interview, token_hash=hashed(token)).first()
        if made and made.revoked_at:
            raise Changed(ENDED, made)
        return (made, token) if made else None

    def good(self, now: datetime) -> Self:
        """Those that open something."""
        return self.filter(revoked_at=None, expires_at__gt=now)

    def of_token(self, token: str, now: datetime) -> "CandidateLink | None":
        good = self.good(now)
        return good.filter(token_hash=hashed(token)).first() if token else None

    def last_with(self, held_on: date, now: datetime) -> None:
        """Good ones last as long as the day of the interview wants; none wakes up."""
        self.good(now).update(expires_at=link_ends(held_on, now))


class CandidateLink(models.Model):
    """What the candidate is sent: it opens the brief, and a seat at the interview."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    interview = models.ForeignKey(
        Interview, on_delete=models.CASCADE, related_name="links"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    objects = CandidateLinks.as_manager()

    def __str__(self) -> str:
        return f"link to {self.interview_id}"

    @transaction.atomic
    def revoke(self, now: datetime) -> None:
        """The seats that were taken by it are gone, too."""
        self.revoked_at = now
        self.save(update_fields=["revoked_at"])
        self.seats.filter(removed_at=None).update(removed_at=now)


def link_ends(held_on: date, now: datetime) -> datetime:
    ends = datetime.combine(held_on, now.timetz()) + LINK_LASTS
    return max(ends, now + LINK_LASTS)


def token_of(interview: Interview, key: UUID) -> str:
    """Of the link that a form with this key makes. The key is kept nowhere, so whoever
    reads the database can't tell the token."""
    told = f"{interview.pk.hex} {key.hex}"
    made = salted_hmac("bank.candidate-link", told, algorithm="sha256").digest()
    return urlsafe_b64encode(made[:TOKEN_BYTES]).decode().rstrip("=")
