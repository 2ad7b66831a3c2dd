"""The candidate's place at an interview: a cookie, no account."""

from datetime import datetime

from django.db import models, transaction
from django.http import HttpRequest

from interview.accounts.seat import COOKIE, Seat, hashed, new_token

from ..errors import BankError
from .audit import AuditEntry, Verb
from .candidate_link import CandidateLink
from .interview import Interview

MOST_SEATS = 20
"""By one link: a person has few devices, and forgets a cookie now and then."""
ALL_TAKEN = (
    "Too many browsers have taken a seat by this link. Ask whoever sent it to you for "
    "a new one."
)


class CandidateSeats(models.QuerySet["CandidateSeat"]):
    @transaction.atomic
    def take(self, link: CandidateLink, now: datetime) -> tuple["CandidateSeat", str]:
        """A new seat and its token, which nobody can ask for again. BankError when the
        link has given all of its seats."""
        CandidateLink.objects.select_for_update(no_key=True).get(pk=link.pk)
        if self.filter(link=link).count() >= MOST_SEATS:
            raise BankError(ALL_TAKEN)
        token = new_token()
        seat = self.create(
            link=link,
            interview=link.interview,
            name="",
            taken_at=now,
            seen_at=now,
            token_hash=hashed(token),
        )
        AuditEntry.objects.note(None, Verb.JOINED, link.interview_id, now, link.pk)
        return seat, token

    def of_request(
        self, request: HttpRequest, interview: Interview, now: datetime
    ) -> "CandidateSeat | None":
        token = request.COOKIES.get(COOKIE, "")
        good = self.select_related("interview").filter(
            interview=interview,
            removed_at=None,
            link__revoked_at=None,
            link__expires_at__gt=now,
        )
        return good.filter(token_hash=hashed(token)).first() if token else None


class CandidateSeat(Seat):
    """Its name stays empty: the interview has the candidate's."""

    interview = models.ForeignKey(
        Interview, on_delete=models.CASCADE, related_name="seats"
    )
    link = models.ForeignKey(
        CandidateLink, on_delete=models.CASCADE, related_name="seats"
    )

    objects = CandidateSeats.as_manager()

    def see(self, now: datetime) -> None:
        CandidateSeat.objects.filter(pk=self.pk).update(seen_at=now)
        self.seen_at = now
