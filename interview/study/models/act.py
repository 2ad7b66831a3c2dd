"""The log of what somebody did in practice: rows are added, never changed.

An undo is a row, too; it names the act that counts no longer.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from interview.recall.grade import Grade
from interview.recall.memory import Terms
from interview.web.keys import uuid7

from ..item_name import item_name
from .act_kind import ENDS_STEPS, MARKS, ON_ITEMS, ActKind
from .acts import Acts
from .card_mark import CardMark
from .rebuild import rebuild
from .session import Confidence, Session, SessionKind, SessionStep

TAKEN_BACK = "This grade had been taken back in the meantime. Grade it again."


class Act(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="acts"
    )
    kind = models.CharField(max_length=10, choices=ActKind)
    at = models.DateTimeField()
    session = models.ForeignKey(
        Session, null=True, on_delete=models.SET_NULL, related_name="acts"
    )
    step = models.ForeignKey(
        SessionStep, null=True, on_delete=models.SET_NULL, related_name="acts"
    )
    card_id = models.CharField(max_length=100)
    rung_id = models.CharField(max_length=100, blank=True)
    turn = models.PositiveSmallIntegerField(default=0)
    grade = models.CharField(max_length=10, blank=True)
    """A `recall.Grade`."""
    confidence = models.CharField(max_length=10, choices=Confidence, blank=True)
    took_ms = models.PositiveIntegerField(null=True)
    """From the question to the first reveal."""
    item_hash = models.CharField(max_length=16, blank=True)
    card_version = models.CharField(max_length=64, blank=True)
    retention = models.FloatField(null=True)
    zone = models.CharField(max_length=60, blank=True)
    last_day = models.DateField(null=True)
    recall = models.FloatField(null=True)
    """FSRS' probability of recall just before this grade; see `Items.recall`."""
    undoes = models.OneToOneField(
        "self", null=True, on_delete=models.CASCADE, related_name="undone_by"
    )

    objects = Acts.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["step", "card_id", "rung_id", "turn"],
                condition=Q(kind="grade"),
                name="one_grade_per_turn",
            )
        ]
        indexes = [
            # Few acts are undos: a full index would look useless to a planner.
            models.Index(
                fields=["undoes"], condition=Q(undoes__isnull=False), name="undone"
            ),
            # All that the chart of the last weeks counts, so that it reads no row.
            models.Index(
                fields=[
                    "user",
                    "at",
                    "kind",
                    "grade",
                    "confidence",
                    "recall",
                    "retention",
                    "id",
                ],
                name="outcomes_by_time",
            ),
            models.Index(fields=["user", "card_id", "rung_id", "at"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {item_name(self.card_id, self.rung_id)} {self.grade}"

    @property
    def terms(self) -> Terms:
        assert self.retention is not None
        return Terms(self.retention, self.zone, self.last_day)

    @property
    def already(self) -> str:
        """Said to who grades the same once more, and otherwise."""
        if Act.objects.filter(undoes=self).exists():
            return TAKEN_BACK
        return f"It was already graded {Grade(self.grade).word} in another window."

    def schedule(self) -> None:
        """Bring the items of the card to what its log says now."""
        rebuild(Act.objects.all(), self.user, self.card_id)

    def take_back(self) -> None:
        """Undo the effect on item, mark or step; the log keeps the act."""
        if self.kind in ON_ITEMS:
            self.schedule()
        elif self.kind in MARKS:
            self._mark_again()
        if self.kind not in ENDS_STEPS:
            return
        # A mock's clocks have stopped: a grade of it moves no step.
        if self.session and self.session.kind == SessionKind.MOCK:
            return
        if self.step:
            self.step.skipped_at = self.step.done_at = None
            self.step.save(update_fields=["skipped_at", "done_at"])
        if self.session and self.session.ended_at:
            self.session.ended_at = None
            self.session.save(update_fields=["ended_at"])

    def _mark_again(self) -> None:
        """Set the card's mark as the newest act that still stands left it."""
        field, _ = MARKS[ActKind(self.kind)]
        kinds = {kind: value for kind, (of, value) in MARKS.items() if of == field}
        acts = Act.objects.of(self.user).filter(card_id=self.card_id, kind__in=kinds)
        last = acts.standing().in_order().last()
        value = kinds[ActKind(last.kind)] if last else False
        marks = CardMark.objects.filter(user=self.user, card_id=self.card_id)
        marks.update(**{field: value})
