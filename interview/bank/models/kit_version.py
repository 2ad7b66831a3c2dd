"""A version of a kit: frozen when an interview uses it first."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models, transaction

from interview.cards.card import Card
from interview.web.keys import uuid7
from interview.web.models import CardVersion

from ..errors import BankError, Changed, Frozen
from .audit import AuditEntry, Verb
from .kit import CHANGED, Kit
from .kit_question import NOTES_LENGTH, KitQuestion, Line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interview.accounts.models import User

MOST_QUESTIONS = 40


class KitVersion(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kit = models.ForeignKey(Kit, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=60, blank=True)
    """A slug of the vocabulary; "" for every role."""
    level = models.CharField(max_length=2, default="L4")
    """What the kit is for; rungs above it may still be chosen."""
    notes = models.TextField(max_length=NOTES_LENGTH, blank=True)
    """For interviewers: how to open, what to say at the end."""
    made_at = models.DateTimeField()
    frozen_at = models.DateTimeField(null=True)
    revision = models.PositiveIntegerField(default=1)
    """Grows with each save; who saves an older one is told."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kit", "number"], name="one_kit_version_per_number"
            ),
            models.UniqueConstraint(
                fields=["kit"],
                condition=models.Q(frozen_at=None),
                name="one_draft_per_kit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kit}, version {self.number}"

    @property
    def is_frozen(self) -> bool:
        return self.frozen_at is not None

    def in_order(self) -> "models.QuerySet[KitQuestion]":
        return self.questions.order_by("position")

    def asking(self, lines: Sequence[Line]) -> "list[KitQuestion]":
        """The rows of those lines, not saved."""
        return [
            KitQuestion(
                version=self,
                position=at,
                card_id=line.card_id,
                rung_ids=" ".join(line.rung_ids),
                minutes=line.minutes,
                notes=line.notes,
            )
            for at, line in enumerate(lines, start=1)
        ]

    def holds(
        self, lines: Sequence[Line], *, role: str, level: str, notes: str
    ) -> bool:
        """Whether it is stored like this."""
        same_frame = (self.role, self.level, self.notes) == (role, level, notes)
        return same_frame and [each.line for each in self.in_order()] == list(lines)

    @transaction.atomic
    def save_lines(
        self,
        lines: Sequence[Line],
        *,
        role: str,
        level: str,
        notes: str,
        revision: int,
    ) -> None:
        """All questions anew. Frozen once it was used, Changed when `revision` is not
        the one that is stored."""
        held = KitVersion.objects.select_for_update(no_key=True).get(pk=self.pk)
        if held.is_frozen:
            raise Frozen("This version was used meanwhile, so it does not change.")
        if held.revision != revision:
            raise Changed(CHANGED, held)
        if len(lines) > MOST_QUESTIONS:
            raise BankError(f"A kit has at most {MOST_QUESTIONS} questions.")
        held.questions.all().delete()
        KitQuestion.objects.bulk_create(held.asking(lines))
        held.role, held.level, held.notes = role, level, notes
        held.revision += 1
        held.save(update_fields=["role", "level", "notes", "revision"])
        self.refresh_from_db()

    @transaction.atomic
    def freeze(self, cards: "Mapping[str, Card]", now: datetime) -> None:
        """Keep the cards as they are now; a second time changes nothing.

        BankError when the kit has no question, or one whose card or follow-up is gone.
        """
        held = KitVersion.objects.select_for_update(no_key=True).get(pk=self.pk)
        if held.is_frozen:
            self.refresh_from_db()
            return
        questions = list(held.in_order())
        if not questions:
            raise BankError("This kit has no question yet.")
        for question in questions:
            card = cards.get(question.card_id)
            if card is None:
                raise BankError(
                    f"Card {question.card_id} left the content: take it out of the kit."
                )
            gone = [
                rung for rung in question.rungs_named if card.follow_up(rung) is None
            ]
            if gone:
                raise BankError(
                    f"Card {card.id} has no follow-up {gone[0]} any more: choose again."
                )
            CardVersion.objects.keep(card)
            question.card_hash = card.version
        KitQuestion.objects.bulk_update(questions, ["card_hash"])
        held.frozen_at = now
        held.save(update_fields=["frozen_at"])
        self.refresh_from_db()

    @transaction.atomic
    def void(self, position: int, reason: str, by: "User", now: datetime) -> None:
        """A question counts for nobody who was asked this version; "" as the reason
        lets it count again. The audit log of each of its interviews has it.

        BankError when nobody was asked it yet, or when there is no such question.
        """
        held = KitVersion.objects.select_for_update(no_key=True).get(pk=self.pk)
        if not held.is_frozen:
            raise BankError("No interview uses this version: take the question out.")
        question = held.in_order().filter(position=position).first()
        if question is None:
            raise BankError(f"This version has no question {position}.")
        if question.void_reason == reason:
            return
        question.void(reason, now if reason else None)
        verb = Verb.VOIDED if reason else Verb.CHANGED
        used_in = held.interviews.values_list("pk", flat=True)
        AuditEntry.objects.note_all(by.pk, verb, used_in, now, question.pk)
