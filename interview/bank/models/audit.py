"""Who saw and changed what: rows are added, never changed, and hold ids alone.

So nothing of a candidate is in it, and it stays whole when an interview is deleted.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.db import models

from interview.web.keys import uuid7

from ..errors import Frozen

if TYPE_CHECKING:
    from interview.accounts.models import User

ONE_SIGHT = timedelta(minutes=1)
APPEND_ONLY = "The audit log is added to, never changed."


class Verb(models.TextChoices):
    PLANNED = "planned"
    CHANGED = "changed"
    ENDED = "ended"
    LINKED = "linked"
    """Made a link for the candidate."""
    REVOKED = "revoked"
    JOINED = "joined"
    """The candidate took a seat; the actor is nobody."""
    SAW_SCORES = "saw-scores"
    """Of others: a debrief, an export, a colleague's scorecard."""
    SUBMITTED = "submitted"
    REVISED = "revised"
    EXPORTED = "exported"
    ATTACHED = "attached"
    VOIDED = "voided"
    ANONYMISED = "anonymised"
    DELETED = "deleted"


class AuditEntries(models.QuerySet["AuditEntry"]):
    def note(
        self,
        actor_id: UUID | None,
        verb: Verb,
        interview_id: UUID,
        now: datetime,
        object_id: UUID | None = None,
    ) -> "AuditEntry":
        """`actor_id` None: the installation itself, or a candidate at their seat."""
        return self.create(
            actor_id=actor_id,
            verb=verb,
            interview_id=interview_id,
            object_id=object_id,
            at=now,
        )

    def note_all(
        self,
        actor_id: UUID,
        verb: Verb,
        interview_ids: Iterable[UUID],
        now: datetime,
        object_id: UUID,
    ) -> None:
        """The same about each of these interviews."""
        self.bulk_create(
            AuditEntry(
                actor_id=actor_id,
                verb=verb,
                interview_id=each,
                object_id=object_id,
                at=now,
            )
            for each in interview_ids
        )

    def note_sight(self, actor_id: UUID, interview_id: UUID, now: datetime) -> None:
        """That somebody saw others' scores; a page that is loaded again within a
        minute is one sight."""
        seen = self.filter(
            actor_id=actor_id,
            verb=Verb.SAW_SCORES,
            interview_id=interview_id,
            at__gt=now - ONE_SIGHT,
        )
        if not seen.exists():
            self.note(actor_id, Verb.SAW_SCORES, interview_id, now)

    def update(self, **changes: Any) -> int:
        raise Frozen(APPEND_ONLY)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Frozen(APPEND_ONLY)

    def about(self, interview_id: UUID) -> Self:
        return self.filter(interview_id=interview_id).order_by("at", "pk")

    def deleted_by(self, person: "User") -> Self:
        return self.filter(verb=Verb.DELETED, actor_id=person.pk)


class AuditEntry(models.Model):
    """Plain ids, no references: what they point to may be gone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField()
    actor_id = models.UUIDField(null=True)
    verb = models.CharField(max_length=20, choices=Verb)
    interview_id = models.UUIDField(db_index=True)
    object_id = models.UUIDField(null=True)
    """A scorecard, a link, a run, a question; None: the interview as a whole."""

    objects = AuditEntries.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.verb} {self.interview_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Frozen(APPEND_ONLY)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Frozen(APPEND_ONLY)
