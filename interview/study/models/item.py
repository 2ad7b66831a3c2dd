"""One question or rung in one person's schedule: what its log says, as columns.

The log (`Act`) is the truth; a row here can be made again from it at any time.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, Concat
from fsrs import State

from interview.recall.forgetting import recall_after
from interview.recall.grade import Grade
from interview.recall.memory import Memory, entered

from ..item_name import item_name

if TYPE_CHECKING:
    from interview.accounts.models import User

    from .act import Act
    from .plan import Plan

ASKED_AT = Coalesce("due_at", "natural_due_at")
"""What rested until an interview that was moved comes when memory asks for it."""
NAME = Concat("card_id", Value("/"), "rung_id")
"""As `Rung.name`: one string is looked up faster than two."""


class Items(models.QuerySet["Item"]):
    def of(self, person: "User") -> "Items":
        return self.filter(user=person)

    def due(self, plan: "Plan", now: datetime) -> "Items":
        """What is asked on this day of study, what was missed a while ago included.

        Nothing from the day of the interview on.
        """
        mine = self.filter(user=plan.user)
        if not plan.has_a_day_left(now):
            return mine.none()
        end = plan.days.end(plan.today(now))
        found = mine.alias(asked_at=ASKED_AT).filter(asked_at__lt=end)
        if plan.interview_on:
            before = Q(natural_due_at__lt=plan.days.begin(plan.interview_on))
            found = found.filter(before | Q(due_at__isnull=False))
        return found

    def recall(self, plan: "Plan", name: str, now: datetime) -> float | None:
        """Probability of recall of an item in review; None while it is learned, and
        on the day of its last look, when recall proves nothing."""
        card_id, _, rung_id = name.partition("/")
        item = self.of(plan.user).filter(card_id=card_id, rung_id=rung_id).first()
        memory = item.memory if item else None
        if memory is None or memory.state is not State.Review:
            return None
        days = (plan.today(now) - plan.days.day_of(memory.reviewed_at)).days
        return recall_after(days, memory.stability_days) if days > 0 else None


class Item(models.Model):
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="items"
    )
    card_id = models.CharField(max_length=100)
    rung_id = models.CharField(max_length=100, blank=True)
    """Blank: the question itself."""
    item_hash = models.CharField(max_length=16)
    """Of the text that was last graded or kept, as `Card.item_hashes` gives it."""
    card_version = models.CharField(max_length=64)
    """The `CardVersion` that holds that text."""
    reviews = models.PositiveIntegerField(default=0)
    last_grade = models.CharField(max_length=10, blank=True)
    state = models.PositiveSmallIntegerField(null=True)
    """FSRS' 1 learning, 2 review, 3 relearning; None before the first grade."""
    step = models.PositiveSmallIntegerField(null=True)
    stability_days = models.FloatField(null=True)
    difficulty = models.FloatField(null=True)
    reviewed_at = models.DateTimeField(null=True)
    natural_due_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    """None: nothing more before the interview."""

    objects = Items.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "card_id", "rung_id"], name="one_item_per_person"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of_act(cls, act: "Act") -> Self:
        return cls(user_id=act.user_id, card_id=act.card_id, rung_id=act.rung_id)

    @classmethod
    def entered(cls, by: "Act", rung_id: str, item_hash: str) -> Self:
        """A rung that `by`, a solid answer to the one below, puts into the schedule."""
        item = cls(user_id=by.user_id, card_id=by.card_id, rung_id=rung_id)
        item.item_hash, item.card_version = item_hash, by.card_version
        item.natural_due_at, item.due_at = entered(by.at, by.terms)
        return item

    @property
    def name(self) -> str:
        """As the cards name it: `card-id` or `card-id/rung-id`."""
        return item_name(self.card_id, self.rung_id)

    @property
    def memory(self) -> Memory | None:
        """None before the first grade, and after a reset."""
        if self.state is None:
            return None
        assert self.stability_days is not None
        assert self.difficulty is not None
        assert self.reviewed_at is not None
        return Memory(
            state=State(self.state),
            step=self.step,
            stability_days=self.stability_days,
            difficulty=self.difficulty,
            reviewed_at=self.reviewed_at,
            natural_due_at=self.natural_due_at,
            due_at=self.due_at,
            reviews=self.reviews,
        )

    def equals(self, other: "Item") -> bool:
        """Whether all columns are the same, but for the key."""
        names = [field.attname for field in self._meta.concrete_fields]
        return all(getattr(self, n) == getattr(other, n) for n in names if n != "id")

    def remember(self, memory: Memory, grade: Grade) -> None:
        """Set the columns; the caller saves."""
        self.state, self.step = int(memory.state), memory.step
        self.stability_days = memory.stability_days
        self.difficulty = memory.difficulty
        self.reviewed_at = memory.reviewed_at
        self.natural_due_at, self.due_at = memory.natural_due_at, memory.due_at
        self.reviews, self.last_grade = memory.reviews, grade

    def forget(self, due_at: datetime) -> None:
        """As before its first grade, and due then; the caller saves."""
        self.state = self.step = self.reviewed_at = None
        self.stability_days = self.difficulty = None
        self.reviews, self.last_grade = 0, ""
        self.natural_due_at = self.due_at = due_at
