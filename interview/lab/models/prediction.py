"""What a person said before the run; it never changes once it is locked."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction

from interview.accounts.models import User
from interview.cards.quantity import Quantity, read_quantity
from interview.web.keys import uuid7

from ..errors import PredictionLocked
from ..form.guess import Guess
from ..form.quantity import title_of, written
from .room_seat import RoomSeat
from .run import Run
from .status import Status
from .step import Step

TOO_LATE = "This run has started: it is too late to predict."


class PredictionQuerySet(models.QuerySet["Prediction"]):
    @transaction.atomic
    def lock(
        self, run: Run, person: User, guesses: Iterable[Guess], now: datetime
    ) -> list["Prediction"]:
        """Lock the guesses for a run that has not started yet."""
        status = Run.objects.select_for_update().values_list("status").get(pk=run.pk)[0]
        if status != Status.QUEUED:
            raise PredictionLocked(TOO_LATE)
        return [
            self.create(
                run=run,
                person=person,
                metric=guess.quantity,
                value=guess.value,
                low=guess.low,
                high=guess.high,
                locked_at=now,
            )
            for guess in guesses
        ]

    @transaction.atomic
    def lock_in(
        self, step: Step, seat: RoomSeat, guesses: Iterable[Guess], now: datetime
    ) -> list["Prediction"]:
        """Lock a seat's guesses for the run of the step that waits, else for its next.

        Once for each run: PredictionLocked, also when the run has started; RoomError
        when the room has ended.
        """
        waits = Run.objects.filter(step=step).under_way()
        run = waits.select_for_update(no_key=True).first()
        seat.room.hold()
        if run and run.status != Status.QUEUED:
            raise PredictionLocked(TOO_LATE)
        if self.awaiting(step, run).filter(seat=seat).exists():
            raise PredictionLocked("Your prediction for this run is locked already.")
        made = [
            self.create(
                step=step,
                seat=seat,
                run=run,
                metric=guess.quantity,
                value=guess.value,
                low=guess.low,
                high=guess.high,
                locked_at=now,
            )
            for guess in guesses
        ]
        seat.room.changed()
        return made

    def awaiting(self, step: Step, run: Run | None) -> Self:
        """Of a run of the step that is under way; of its next one when that is None.

        What was said for a run that was stopped before it started is for the next.
        """
        never_ran = models.Q(run__started_at=None, run__ended_at__isnull=False)
        of_next = models.Q(run=None) | never_ran
        return self.filter(models.Q(run=run) if run else of_next, step=step)

    def give(self, run: Run) -> int:
        """Say which run they are for: the one change that a locked prediction sees."""
        return super().update(run=run)

    def open_to(self, seat: RoomSeat, run: Run) -> Self:
        """Of a run, in the seat's room: its own, and all of them from the start on."""
        there = self.filter(run=run, step__room=seat.room_id, seat__isnull=False)
        return there if run.started_at else there.filter(seat=seat)

    def update(self, **changes: Any) -> int:
        raise PredictionLocked("A locked prediction does not change.")


class Prediction(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE
    )
    """Whose it is; None of a seat, whether or not its person is signed in."""
    seat = models.ForeignKey(
        RoomSeat, null=True, on_delete=models.CASCADE, related_name="predictions"
    )
    step = models.ForeignKey(
        Step, null=True, on_delete=models.CASCADE, related_name="predictions"
    )
    """What a seat predicts before the step's next run is asked for."""
    run = models.ForeignKey(
        Run, null=True, on_delete=models.CASCADE, related_name="predictions"
    )
    metric = models.CharField(max_length=60)
    """A quantity: `metric@load`, or the metric alone for one request."""
    value = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    locked_at = models.DateTimeField()

    objects = PredictionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "person", "metric"], name="one_prediction_per_metric"
            ),
            models.UniqueConstraint(
                fields=["step", "seat", "metric"],
                condition=models.Q(run=None),
                name="one_prediction_per_seat_to_come",
            ),
            models.UniqueConstraint(
                fields=["run", "seat", "metric"],
                condition=models.Q(run__isnull=False),
                name="one_prediction_per_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(person=None) ^ models.Q(seat=None),
                name="prediction_of_a_person_or_a_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(run__isnull=False) | models.Q(step__isnull=False),
                name="prediction_of_a_run_or_a_step",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.value:g}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise PredictionLocked("A locked prediction does not change.")
        super().save(*args, **kwargs)

    @property
    def quantity(self) -> Quantity:
        return read_quantity(self.metric)

    @property
    def guess(self) -> Guess:
        return Guess(self.metric, self.value, self.low, self.high)

    @property
    def text(self) -> str:
        """The number with its unit, the range in brackets."""
        metric = self.quantity.metric
        if self.low is None or self.high is None:
            return written(metric, self.value)
        low, high = written(metric, self.low), written(metric, self.high)
        return f"{written(metric, self.value)} ({low} to {high})"

    @property
    def title(self) -> str:
        return title_of(self.quantity)
