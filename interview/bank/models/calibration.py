"""Calibration: sample answers that a panel rates apart, to see how far it is apart."""

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models

from interview.web.keys import uuid7

if TYPE_CHECKING:
    from interview.accounts.models import User

ANSWER_LENGTH = 5_000


class Samples(models.QuerySet["Sample"]):
    def in_use(self) -> Self:
        return self.filter(retired_at=None)


class Sample(models.Model):
    """An invented answer to a card's question and follow-ups, rated as a real one."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    card_id = models.CharField(max_length=100)
    card_hash = models.CharField(max_length=64)
    """The CardVersion that it answers."""
    title = models.CharField(max_length=100)
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


class SampleRatings(models.QuerySet["SampleRating"]):
    def open_to(self, person: "User", sample: Sample) -> Self:
        """Everybody's, once one's own is given; before that nobody's."""
        here = self.filter(sample=sample)
        if not here.filter(user=person).exists():
            return self.none()
        return here

    def give(
        self, person: "User", sample: Sample, rating: int, reason: str, now: datetime
    ) -> tuple["SampleRating", bool]:
        """The first one counts; whether this one was it."""
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
