"""What interviewers know of a card beside its file: that it leaked."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from interview.accounts.models import User


class CardStates(models.QuerySet["CardState"]):
    def flag_leak(
        self, card_id: str, by: "User", reason: str, at: datetime | None
    ) -> "CardState":
        """Candidates know it; `at` None takes the flag back."""
        state, _ = self.update_or_create(
            card_id=card_id,
            defaults={
                "leaked_at": at,
                "leak_reason": reason if at else "",
                "flagged_by": by,
            },
        )
        return state

    def leaked(self) -> "dict[str, CardState]":
        return {each.card_id: each for each in self.exclude(leaked_at=None)}


class CardState(models.Model):
    card_id = models.CharField(max_length=100, primary_key=True)
    leaked_at = models.DateTimeField(null=True)
    leak_reason = models.CharField(max_length=500, blank=True)
    flagged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = CardStates.as_manager()

    def __str__(self) -> str:
        return self.card_id
