"""What somebody keeps to a card: a note, a flag, and not to be asked it."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from interview.web.keys import uuid7

from .act_kind import MARKS, ActKind

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from interview.accounts.models import User

    from .act import Act


class NoteChanged(Exception):
    """The note was saved elsewhere since it was read; `mark` holds that text."""

    def __init__(self, mark: "CardMark") -> None:
        super().__init__(
            f"The note on {mark.card_id} has changed since this page was opened; "
            "read both texts and save the one to keep."
        )
        self.mark = mark


class CardMarks(models.QuerySet["CardMark"]):
    def of(self, person: "User") -> "CardMarks":
        return self.filter(user=person)

    def suspended(self, person: "User") -> frozenset[str]:
        """Ids of the cards that are not asked."""
        mine = self.of(person).filter(is_suspended=True)
        return frozenset(mine.values_list("card_id", flat=True))

    def on(self, person: "User", card_id: str) -> "CardMark":
        """The person's mark; an empty one, not stored yet, before there is any."""
        found = self.of(person).filter(card_id=card_id).first()
        return found or CardMark(user=person, card_id=card_id)

    def write(
        self, person: "User", card_id: str, note: str, revision: int, now: datetime
    ) -> "CardMark":
        """Save the note of who read `revision`; NoteChanged when it is another by now.

        The same text sent twice, or from two tabs, is saved once.
        """
        mark, _ = self.get_or_create(user=person, card_id=card_id)
        self.filter(pk=mark.pk, note_revision=revision).exclude(note=note).update(
            note=note, note_revision=revision + 1, noted_at=now
        )
        mark.refresh_from_db()
        if mark.note != note:
            raise NoteChanged(mark)
        return mark

    def follow(
        self, acts: "QuerySet[Act]", person: "User", card_ids: Collection[str]
    ) -> None:
        """Set the marks of cards as the newest of `acts` that still stand left them;
        what no act was about stays as it is."""
        states: dict[str, dict[str, bool]] = {}
        rows = acts.filter(kind__in=MARKS).order_by("at", "id")
        for card_id, kind, undone in rows.values_list("card_id", "kind", "undone_by"):
            field, value = MARKS[ActKind(kind)]
            state = states.setdefault(card_id, {})
            state[field] = state.get(field, False) if undone else value
        for card_id in states.keys() & card_ids:
            self.update_or_create(
                user=person, card_id=card_id, defaults=states[card_id]
            )


class CardMark(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="card_marks"
    )
    card_id = models.CharField(max_length=100)
    note = models.TextField(max_length=20_000, blank=True)
    note_revision = models.PositiveIntegerField(default=0)
    """Grows with each change; who saves an older one is told."""
    noted_at = models.DateTimeField(null=True)
    is_flagged = models.BooleanField(default=False)
    """"Look at this again"."""
    is_suspended = models.BooleanField(default=False)
    """Not asked, with none of its rungs, until the person says so."""

    objects = CardMarks.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "card_id"], name="one_mark_per_person_and_card"
            )
        ]

    def __str__(self) -> str:
        return self.card_id
