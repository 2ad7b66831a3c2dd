"""A question of a kit: a card, the follow-ups that are asked, and its minutes."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models

from interview.cards.card import Card, FollowUp
from interview.rating.rating import Rung
from interview.web.keys import uuid7

if TYPE_CHECKING:
    from .kit_version import KitVersion

NOTES_LENGTH = 5_000


@dataclass(frozen=True, slots=True)
class Line:
    """A question as the kit's form names it."""

    card_id: str
    rung_ids: tuple[str, ...]
    """In file order; at least one."""
    minutes: int
    notes: str = ""


class KitQuestion(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    version = models.ForeignKey(
        "bank.KitVersion", on_delete=models.CASCADE, related_name="questions"
    )
    position = models.PositiveIntegerField()
    """From 1."""
    card_id = models.CharField(max_length=100)
    card_hash = models.CharField(max_length=64, blank=True)
    """The CardVersion that was frozen; "" while the version is a draft."""
    rung_ids = models.TextField()
    """Ids of the follow-ups that are asked, in file order, parted by spaces."""
    minutes = models.PositiveIntegerField()
    notes = models.TextField(max_length=NOTES_LENGTH, blank=True)
    """For the interviewer."""
    voided_at = models.DateTimeField(null=True)
    void_reason = models.CharField(max_length=500, blank=True)
    """Why the question counts for nobody who was asked this version."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version", "position"], name="one_kit_question_per_position"
            )
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.card_id}"

    @property
    def rungs_named(self) -> list[str]:
        return self.rung_ids.split()

    @property
    def line(self) -> Line:
        return Line(self.card_id, tuple(self.rungs_named), self.minutes, self.notes)

    def copy_for(self, version: "KitVersion") -> "KitQuestion":
        """The same question for a draft, which reads the card as it is today."""
        return KitQuestion(
            version=version,
            position=self.position,
            card_id=self.card_id,
            rung_ids=self.rung_ids,
            minutes=self.minutes,
            notes=self.notes,
        )

    def follow_ups(self, card: Card) -> list[FollowUp]:
        """The follow-ups that are asked, of the card as it was frozen or is today."""
        found = (card.follow_up(rung) for rung in self.rungs_named)
        return [rung for rung in found if rung]

    def rungs(self, card: Card) -> list[Rung]:
        """As the rating reads them."""
        return [Rung(each.id, each.level) for each in self.follow_ups(card)]

    def void(self, reason: str, at: datetime | None) -> None:
        """For all who were asked it, or for nobody (None takes it back)."""
        self.voided_at, self.void_reason = at, reason if at else ""
        self.save(update_fields=["voided_at", "void_reason"])
