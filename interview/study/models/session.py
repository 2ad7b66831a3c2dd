"""A practice session or a mock interview: cards in an order, and where one is."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.urls import reverse

from interview.web.keys import uuid7

from ..stage import QUESTION, asked

if TYPE_CHECKING:
    from interview.accounts.models import User


QUERY_MAX = 2_500
"""Characters."""
LONGEST = timedelta(hours=1)
"""Who took longer was away."""


class SessionKind(models.TextChoices):
    PRACTICE = "practice"
    MOCK = "mock"


class Confidence(models.TextChoices):
    """Tapped before anything is revealed."""

    SURE = "sure"
    UNSURE = "unsure"
    GUESS = "guess"


class Sessions(models.QuerySet["Session"]):
    def of(self, person: "User") -> "Sessions":
        return self.filter(user=person)

    def open(self) -> "Sessions":
        return self.filter(ended_at=None)

    def practice(self) -> "Sessions":
        return self.filter(kind=SessionKind.PRACTICE)

    def newest_first(self) -> "Sessions":
        return self.order_by("-started_at", "-id")


class Session(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sessions"
    )
    kind = models.CharField(max_length=10, choices=SessionKind)
    query = models.CharField(max_length=QUERY_MAX, blank=True)
    """The filter of the card list that it was begun from, as in its address; blank:
    what was due."""
    seed = models.PositiveBigIntegerField(default=0)
    """The same seed draws the same cards in the same order."""
    role = models.CharField(max_length=60, blank=True)
    level = models.CharField(max_length=10, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True)
    """Of a mock interview."""
    takes_attempts = models.BooleanField(default=False)
    """There is a field to type the answer into."""
    shows_clock = models.BooleanField(default=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    objects = Sessions.as_manager()

    class Meta:
        indexes = [models.Index(fields=["user", "-started_at"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def open_step(self) -> "SessionStep | None":
        """The first that is not done."""
        return self.steps.filter(done_at=None).first()

    def end(self, now: datetime) -> None:
        """Once; a later end changes nothing."""
        Session.objects.filter(pk=self.pk, ended_at=None).update(ended_at=now)

    def reopen(self) -> None:
        Session.objects.filter(pk=self.pk).update(ended_at=None)

    def append(self, places: Sequence[tuple[str, str]]) -> None:
        """More steps at the end, as (card, rung)."""
        last = self.steps.last()
        first = last.position + 1 if last else 1
        SessionStep.objects.bulk_create(
            SessionStep.at(self, position, card_id, rung_id)
            for position, (card_id, rung_id) in enumerate(places, first)
        )


class SessionStep(models.Model):
    """One card of a session."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="steps")
    position = models.PositiveSmallIntegerField()
    """From 1."""
    card_id = models.CharField(max_length=100)
    rung_id = models.CharField(max_length=100, blank=True)
    """Where it begins: a rung that is due while the question is not; blank: there."""
    stage = models.CharField(max_length=120, default=QUESTION)
    """The furthest that was revealed, as in stage.py."""
    confidence = models.CharField(max_length=10, choices=Confidence, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True)
    """The time box of a mock interview's question."""
    asked_at = models.DateTimeField(null=True)
    revealed_at = models.DateTimeField(null=True)
    """When the short answer was first shown: until then one answered aloud."""
    done_at = models.DateTimeField(null=True)
    skipped_at = models.DateTimeField(null=True)
    said = models.CharField(max_length=2000, blank=True)
    """Ids of the card's wrong answers that the person gave in a mock interview, parted
    by spaces."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="one_step_per_position"
            )
        ]
        ordering = ["position"]

    def __str__(self) -> str:
        return f"{self.position} {self.card_id}"

    def get_absolute_url(self) -> str:
        return reverse("study:step", args=[self.session_id, self.position])

    @classmethod
    def at(cls, session: Session, position: int, card_id: str, rung_id: str) -> Self:
        """A new one, not saved; a step that begins at a rung asks it first."""
        place = {"card_id": card_id, "rung_id": rung_id}
        return cls(session=session, position=position, stage=asked(rung_id), **place)

    @property
    def is_revealed(self) -> bool:
        return self.revealed_at is not None

    @property
    def took_ms(self) -> int | None:
        """From the first showing to the first reveal."""
        if self.asked_at is None or self.revealed_at is None:
            return None
        took = min(self.revealed_at - self.asked_at, LONGEST)
        return max(0, took // timedelta(milliseconds=1))

    def show(self, now: datetime) -> None:
        """It is asked from the first time on."""
        if self.asked_at is None:
            mine = SessionStep.objects.filter(pk=self.pk, asked_at=None)
            mine.update(asked_at=now)
            self.asked_at = now

    def reach(self, stage: str, now: datetime) -> None:
        """Reveal a stage; the first one ends the answering."""
        self.stage = stage
        self.revealed_at = self.revealed_at or now
        self.save(update_fields=["stage", "revealed_at"])

    def peek(self, now: datetime) -> None:
        """Something of the answer was seen, though no stage of it was opened."""
        mine = SessionStep.objects.filter(pk=self.pk, revealed_at=None)
        if mine.update(revealed_at=now):
            self.revealed_at = now

    def feel(self, confidence: str) -> None:
        """How sure one is, said before the answer is open; "" says nothing."""
        mine = SessionStep.objects.filter(pk=self.pk, revealed_at=None)
        mine.update(confidence=confidence)

    def pass_by(self, now: datetime) -> None:
        """Leave it without an act: it can't be asked."""
        mine = SessionStep.objects.filter(pk=self.pk, done_at=None)
        mine.update(skipped_at=now, done_at=now)

    def finish(self, now: datetime) -> None:
        SessionStep.objects.filter(pk=self.pk, done_at=None).update(done_at=now)
