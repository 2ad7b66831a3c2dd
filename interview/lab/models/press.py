"""One stream more in a run that the people of a room make together."""

from datetime import datetime

from django.db import models, transaction

from interview.web.keys import uuid7

from ..errors import LabError
from ..runs.gathering import refusal_of_press
from .room import Room
from .room_seat import RoomSeat
from .run import Run
from .status import Kind, Status

NO_GATHERING = "No run that streams could join is under way in this room."


class PressQuerySet(models.QuerySet["Press"]):
    @transaction.atomic
    def add(self, seat: RoomSeat, now: datetime, form_key: str = "") -> "Press | None":
        """One stream of this seat; LabError says why there can be none.

        `form_key` is what `key_of` told when the form was drawn: a form that is sent
        twice adds one stream, and None is the second.
        """
        room = Room.objects.get(pk=seat.room_id)
        under_way = gathering_of(room)
        if under_way is None:
            raise LabError(NO_GATHERING)
        run = Run.objects.select_for_update(no_key=True).get(pk=under_way.pk)
        room.hold()
        own = self.filter(run=run, seat=seat).count()
        if form_key and form_key != key_of(run, own):
            return None
        count = self.filter(run=run).count()
        if refusal := press_refusal(run, room, count, now):
            raise LabError(refusal)
        press = self.create(run=run, seat=seat, number=count + 1, pressed_at=now)
        room.changed()
        return press


def press_refusal(run: Run, room: Room, count: int, now: datetime) -> str:
    """Why nobody can add a stream; "" when they can. `count` are there already."""
    return refusal_of_press(
        status=Status(run.status),
        is_stopping=run.stop_asked_at is not None,
        is_measuring=run.measuring_at is not None,
        is_closed=room.is_over,
        is_frozen=room.is_frozen(now),
        count=count,
        most=run.asked.most_users,
    )


def key_of(run: Run, own: int) -> str:
    """Of the form that adds one more to a seat's `own` streams of this run."""
    return f"{run.slug}.{own}"


def gathering_of(room: Room) -> Run | None:
    """The one that waits or runs there now."""
    mine = Run.objects.filter(step__room=room, kind=Kind.GATHERING)
    under_way = mine.filter(status__in=(Status.QUEUED, Status.RUNNING))
    return under_way.defer("report").order_by("-pk").first()


class Press(models.Model):
    """Written by a web process, read by the worker that holds the run."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="presses")
    seat = models.ForeignKey(RoomSeat, on_delete=models.CASCADE, related_name="presses")
    number = models.PositiveIntegerField()
    """From 1 in the order of pressing; the stream's number in the run."""
    pressed_at = models.DateTimeField()

    objects = PressQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "number"], name="one_press_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} {self.number}"
