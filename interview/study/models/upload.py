"""A file that somebody brought in, kept until they said whether they want it."""

import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models, transaction

if TYPE_CHECKING:
    from interview.accounts.models import User

KEPT = timedelta(hours=1)


class Uploads(models.QuerySet["Upload"]):
    def fresh(self, person: "User", now: datetime) -> "Uploads":
        return self.filter(user=person, at__gt=now - KEPT)

    @transaction.atomic
    def keep(self, person: "User", text: str, now: datetime) -> "Upload":
        """In place of the person's last one; everybody's old ones go."""
        self.filter(models.Q(user=person) | models.Q(at__lte=now - KEPT)).delete()
        return self.create(user=person, text=text, at=now)


class Upload(models.Model):
    # Not a `uuid7`: its key is in an address and must tell nothing, not even when.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads"
    )
    text = models.TextField()
    at = models.DateTimeField()

    objects = Uploads.as_manager()

    def __str__(self) -> str:
        return str(self.id)
