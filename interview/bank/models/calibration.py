"""Calibration: sample answers that a panel rates apart, to see how far it is apart."""

from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction

from interview.cards.card import Card
from interview.web.keys import uuid7
from interview.web.models import CardVersion

from ..errors import NOT_YOURS, BankError

if TYPE_CHECKING:
    from interview.accounts.models import User

TITLE_LENGTH = 100
ANSWER_LENGTH = 5_000
RETIRED = "This sample is retired: it is not rated any more."


class Samples(models.QuerySet["Sample"]):
    def in_use(self) -> Self:
        return self.filter(retired_at=None)

    def editable_by(self, person: "User") -> Self:
        """Those one wrote; an owner of the installation may retire them all."""
        if not person.may_interview:
            return self.none()
        return self if person.is_owner else self.filter(written_by=person)

    @transaction.atomic
    def write(
        self,
        card: Card,
        title: str,
        answer: str,
        by: "User",
        now: datetime,
        key: UUID | None = None,
    ) -> "Sample":
        """Keeps the card as it is now. `key` is its id, so that a form that is sent
        twice writes one sample; BankError when it is the key of somebody else's."""
        CardVersion.objects.keep(card)
        sample, _ = self.get_or_create(
            pk=key or uuid7(),
            defaults={
                "written_by": by,
                "card_id": card.id,
                "card_hash": card.version,
                "title": title,
                "answer": answer,
                "written_at": now,
            },
        )
        if sample.written_by_id != by.pk:
            raise BankError(NOT_YOURS)
        return sample


class Sample(models.Model):
    """An invented answer to a card's question and follow-ups, rated as a real one."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    card_id = models.CharField(max_length=100)
    card_hash = models.CharField(max_length=64)
    """The CardVersion that it answers."""
    title = models.CharField(max_length=TITLE_LENGTH)
    answer = models.TextField(max_length=ANSWER_LENGTH)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    written_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    objects = Samples.as_manager()

    class Meta:
        ordering = ["card_id", "pk"]

    def __str__(self) -> str:
        return self.title

    def retire(self, at: datetime | None) -> None:
        """None takes it back into use."""
        self.retired_at = at
        self.save(update_fields=["retired_at"])


class SampleRatings(models.QuerySet["SampleRating"]):
    def open_to(self, person: "User") -> Self:
        """Everybody's, of samples that oneself has rated; of others nobody's."""
        if not person.may_interview:
            return self.none()
        own = SampleRating.objects.filter(user=person)
        return self.filter(sample__in=own.values("sample"))

    def give(
        self, person: "User", sample: Sample, rating: int, reason: str, now: datetime
    ) -> tuple["SampleRating", bool]:
        """The first one counts; whether this one was it. BankError when the sample is
        retired."""
        given = self.filter(sample=sample, user=person).first()
        if given:
            return given, False
        if sample.retired_at:
            raise BankError(RETIRED)
        return self.get_or_create(
            sample=sample,
            user=person,
            defaults={"rating": rating, "reason": reason, "at": now},
        )


class SampleRating(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    rating = models.PositiveSmallIntegerField()
    reason = models.TextField(max_length=ANSWER_LENGTH, blank=True)
    at = models.DateTimeField()

    objects = SampleRatings.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "user"], name="one_rating_per_sample_and_person"
            )
        ]

    def __str__(self) -> str:
        return str(self.rating)
