"""Lets go of what an interview holds of its candidate, or of the interview whole."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from ..models import AuditEntry, Interview, Note, Revision, Verb

if TYPE_CHECKING:
    from interview.accounts.models import User


@transaction.atomic
def anonymise(interview: Interview, by: "User", now: datetime) -> None:
    """Names and texts go; marks and ratings stay for the statistics of the bank.

    The candidate's links and seats end, and so does the interview, so that nothing
    comes in afterwards. A second time changes nothing.
    """
    held = _held(interview)
    if held and held.anonymised_at is None:
        Note.objects.filter(score__scorecard__interview=held).update(text="")
        Revision.objects.filter(score__scorecard__interview=held).update(reason="")
        held.scorecards.update(summary="")
        held.links.filter(revoked_at=None).update(revoked_at=now)
        held.seats.filter(removed_at=None).update(removed_at=now)
        Interview.objects.filter(pk=held.pk).update(
            candidate="",
            anonymised_at=now,
            ended_at=Coalesce(F("ended_at"), now),
            asked_now=None,
            rung_now="",
            evidence_now=None,
            revision=F("revision") + 1,
        )
        held.evidence.all().delete()
        AuditEntry.objects.note(by.pk, Verb.ANONYMISED, held.pk, now)
    interview.refresh_from_db()


@transaction.atomic
def erase(interview: Interview, by: "User | None", now: datetime) -> bool:
    """Everything of it; what the audit log says of it stays. `by` None: the
    installation. Whether it was there still."""
    held = _held(interview)
    if held is None:
        return False
    AuditEntry.objects.note(by.pk if by else None, Verb.DELETED, held.pk, now)
    held.delete()
    return True


def _held(interview: Interview) -> Interview | None:
    """With its scorecards, so that no note is written meanwhile."""
    held = Interview.objects.select_for_update().filter(pk=interview.pk).first()
    if held:
        list(held.scorecards.select_for_update())
    return held
