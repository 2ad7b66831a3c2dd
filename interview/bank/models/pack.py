"""A pack of cards that came in, kept until somebody said whether it is wanted."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models, transaction

if TYPE_CHECKING:
    from interview.accounts.models import User

KEPT = timedelta(days=1)


class Packs(models.QuerySet["Pack"]):
    def fresh(self, person: "User", now: datetime) -> "Packs":
        return self.filter(user=person, at__gt=now - KEPT)

    def waiting(self, person: "User", now: datetime) -> "Pack | None":
        return self.fresh(person, now).filter(done_at=None).first()

    def stale(self, now: datetime) -> "Packs":
        """Everybody's that are past their time."""
        return self.filter(at__lte=now - KEPT)

    @transaction.atomic
    def keep(
        self,
        person: "User",
        texts: Mapping[str, str],
        errors: Mapping[str, Sequence[Mapping[str, Any]]],
        now: datetime,
    ) -> "Pack":
        """In place of the person's last one; everybody's old ones go."""
        (self.stale(now) | self.filter(user=person)).delete()
        return self.create(user=person, texts=texts, errors=errors, at=now)


class Pack(models.Model):
    # Not a `uuid7`: its key is in an address and must tell nothing, not even when.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField()
    texts = models.JSONField()
    """The text of each file by its name in the pack."""
    errors = models.JSONField()
    """What the linter has against a file, by its name: `Problem.as_json`."""
    done_at = models.DateTimeField(null=True)
    """When it was imported or discarded; the row stays to answer a form sent twice."""

    objects = Packs.as_manager()

    def __str__(self) -> str:
        return str(self.id)

    def finish(self, now: datetime) -> None:
        """Nothing of what it held is kept."""
        self.texts, self.errors, self.done_at = {}, {}, now
        self.save(update_fields=["texts", "errors", "done_at"])
