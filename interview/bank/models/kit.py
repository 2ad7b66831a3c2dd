"""A kit: the questions that every candidate of a round is asked, in their order.

A version is frozen when an interview uses it first; an edit then begins the next one,
so two candidates with the same version were asked the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction

from interview.cards.card import Card, FollowUp
from interview.rating.rating import Rung
from interview.web.keys import uuid7
from interview.web.models import CardVersion

from ..errors import NOT_YOURS, BankError, Changed, Frozen
from .audit import AuditEntry, Verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interview.accounts.models import User

TITLE_LENGTH = 100
NOTES_LENGTH = 5_000
MOST_QUESTIONS = 40
CHANGED = (
    "Somebody saved this kit since this page was opened. What they saved is shown; "
    "what you sent stands below it, not saved."
)


@dataclass(frozen=True, slots=True)
class Line:
    """A question as the kit's form names it."""

    card_id: str
    rung_ids: tuple[str, ...]
    """In file order; at least one."""
    minutes: int
    notes: str = ""


class Kits(models.QuerySet["Kit"]):
    def visible_to(self, person: "User") -> Self:
        """One's own and those that colleagues share; an owner of the installation sees
        them all. Candidates see none."""
        if not person.may_interview:
            return self.none()
        if person.is_owner:
            return self
        return self.filter(models.Q(owner=person) | models.Q(is_shared=True))

    def editable_by(self, person: "User") -> Self:
        mine = self.visible_to(person)
        return mine if person.is_owner else mine.filter(owner=person)

    @transaction.atomic
    def begin(
        self, owner: "User", title: str, now: datetime, key: UUID | None = None
    ) -> "Kit":
        """A kit whose first version is empty. `key` is its id, so that a form that is
        sent twice makes one kit; BankError when it is the key of somebody else's."""
        kit, made = self.get_or_create(
            pk=key or uuid7(),
            defaults={"owner": owner, "title": title, "made_at": now},
        )
        if kit.owner_id != owner.pk:
            raise BankError(NOT_YOURS)
        if made:
            kit.versions.create(number=1, made_at=now)
        return kit


class Kit(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    title = models.CharField(max_length=TITLE_LENGTH)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="kits"
    )
    is_shared = models.BooleanField(default=False)
    """Colleagues may read it, use it and make copies; its owner alone edits it."""
    made_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)
    """Since when no new interview uses it."""

    objects = Kits.as_manager()

    class Meta:
        ordering = ["title", "pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def latest(self) -> "KitVersion":
        return self.versions.order_by("-number").first()  # type: ignore[return-value]  # `begin` makes the first

    @transaction.atomic
    def draft(self, now: datetime) -> "KitVersion":
        """The version that may be edited; a copy of a frozen one when need be."""
        Kit.objects.select_for_update(no_key=True).get(pk=self.pk)
        latest = self.latest
        if latest.frozen_at is None:
            return latest
        made = self.versions.create(
            number=latest.number + 1,
            made_at=now,
            role=latest.role,
            level=latest.level,
            notes=latest.notes,
        )
        made.questions.bulk_create(each.copy_for(made) for each in latest.in_order())
        return made

    @transaction.atomic
    def edit(
        self,
        lines: Sequence[Line],
        *,
        title: str,
        title_was: str,
        role: str,
        level: str,
        notes: str,
        read: tuple[int, int],
        now: datetime,
    ) -> "KitVersion":
        """The newest version with these questions: the next one when it was used.

        `read` is the number and the revision of the version that the person saw, and
        `title_was` the title. Changed when somebody saved another since; what is stored
        already is saved once.
        """
        held = Kit.objects.select_for_update(no_key=True).get(pk=self.pk)
        latest = held.latest
        if held.title != title:
            if held.title != title_was:
                raise Changed(CHANGED, latest)
            held.rename(title)
        if not latest.holds(lines, role=role, level=level, notes=notes):
            if (latest.number, latest.revision) != read:
                raise Changed(CHANGED, latest)
            latest = held.draft(now)
            latest.save_lines(
                lines, role=role, level=level, notes=notes, revision=latest.revision
            )
        self.refresh_from_db()
        return latest

    @transaction.atomic
    def duplicate(
        self, owner: "User", title: str, now: datetime, key: UUID | None = None
    ) -> "Kit":
        """A kit of one's own with the newest questions of this one. `key` is its id,
        so that a form that is sent twice makes one copy."""
        made = Kit.objects.begin(owner, title, now, key)
        version = made.latest
        if version.revision == 1:
            source = self.latest
            version.save_lines(
                [each.line for each in source.in_order()],
                role=source.role,
                level=source.level,
                notes=source.notes,
                revision=1,
            )
        return made

    def rename(self, title: str) -> None:
        self.title = title
        self.save(update_fields=["title"])

    def share(self, is_shared: bool) -> None:
        self.is_shared = is_shared
        self.save(update_fields=["is_shared"])

    def retire(self, at: datetime | None) -> None:
        """None takes it back into use."""
        self.retired_at = at
        self.save(update_fields=["retired_at"])


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
        for interview_id in held.interviews.values_list("pk", flat=True):
            AuditEntry.objects.note(by.pk, verb, interview_id, now, question.pk)


class KitQuestion(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    version = models.ForeignKey(
        KitVersion, on_delete=models.CASCADE, related_name="questions"
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

    def copy_for(self, version: KitVersion) -> "KitQuestion":
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
