"""What interviewers know of a card beside its file: that it leaked."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models, transaction

from ..errors import Changed

if TYPE_CHECKING:
    from interview.accounts.models import User

LEAK_REASON_LENGTH = 500
FLAG_CHANGED = (
    "Somebody changed this flag since this page was opened. It is shown as it stands."
)


class CardStates(models.QuerySet["CardState"]):
    @transaction.atomic
    def flag_leak(
        self, card_id: str, by: "User", reason: str, now: datetime
    ) -> "CardState":
        """Candidates know it. The same reason a second time changes nothing; Changed
        when it is flagged for another one."""
        held = self._held(card_id)
        if held.leaked_at is None:
            held.leaked_at, held.leak_reason, held.flagged_by = now, reason, by
            held.save(update_fields=["leaked_at", "leak_reason", "flagged_by"])
        elif held.leak_reason != reason:
            raise Changed(FLAG_CHANGED, held)
        return held

    @transaction.atomic
    def take_back(self, card_id: str, flagged_at: datetime) -> "CardState":
        """The flag of that time; Changed when there is a newer one."""
        held = self._held(card_id)
        if held.leaked_at is None:
            return held
        if held.leaked_at != flagged_at:
            raise Changed(FLAG_CHANGED, held)
        held.leaked_at, held.leak_reason = None, ""
        held.save(update_fields=["leaked_at", "leak_reason"])
        return held

    def leaked(self) -> "dict[str, CardState]":
        return {each.card_id: each for each in self.exclude(leaked_at=None)}

    def leak_of(self, card_id: str) -> "CardState | None":
        leaked = self.exclude(leaked_at=None).select_related("flagged_by")
        return leaked.filter(card_id=card_id).first()

    def _held(self, card_id: str) -> "CardState":
        self.get_or_create(card_id=card_id)
        return self.select_for_update(no_key=True).get(card_id=card_id)


class CardState(models.Model):
    card_id = models.CharField(max_length=100, primary_key=True)
    leaked_at = models.DateTimeField(null=True)
    leak_reason = models.CharField(max_length=LEAK_REASON_LENGTH, blank=True)
    flagged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = CardStates.as_manager()

    def __str__(self) -> str:
        return self.card_id
