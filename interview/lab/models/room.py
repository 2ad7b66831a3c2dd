"""A room: people around the runs of one host, each on a seat."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Exists, F, OuterRef

from interview.accounts.models import User
from interview.accounts.seat import hashed, new_token
from interview.web.keys import uuid7

from ..errors import RoomError
from ..live import bell
from ..rooms.code import new_code
from .status import Status

if TYPE_CHECKING:
    from .room_seat import RoomSeat
    from .run import Run
    from .step import Step

DESERTED_AFTER = timedelta(hours=12)
"""A room in which nobody was seen for so long ends by itself."""
OVER = "This room has ended. It can be read, and nothing in it changes any more."


class RoomQuerySet(models.QuerySet["Room"]):
    @transaction.atomic
    def open(self, host: User, title: str, now: datetime) -> "Room":
        """A new room, with its host on the first seat."""
        from .room_seat import RoomSeat  # its table refers to this one

        room = self.create(host=host, title=title, opened_at=now, code=self.free_code())
        seat, _ = RoomSeat.objects.take(room, host.name, now, user=host, is_host=True)
        room.driver = seat
        room.save(update_fields=["driver"])
        return room

    def free_code(self) -> str:
        """One that no open room has; those of ended rooms come back."""
        taken = Room.objects.open_now()
        while taken.filter(code=(code := new_code())).exists():
            pass
        return code

    def open_now(self) -> Self:
        return self.filter(ended_at=None)

    def of(self, person: User) -> Self:
        """Rooms that a signed-in person opened or sat in, the newest first."""
        sat = models.Q(seats__user=person, seats__removed_at=None)
        return self.filter(models.Q(host=person) | sat).distinct()

    def deserted(self, now: datetime) -> Self:
        """Open ones in which nobody was seen for half a day."""
        from .room_seat import RoomSeat  # its table refers to this one

        kept = now - DESERTED_AFTER
        here = RoomSeat.objects.filter(room=OuterRef("pk"))
        lively = here.filter(models.Q(seen_at__gt=kept) | models.Q(taken_at__gt=kept))
        return self.open_now().filter(~Exists(lively), opened_at__lt=kept)

    def with_names_before(self, moment: datetime) -> Self:
        """Rooms that ended before `moment` and still know by name who joined them."""
        return self.filter(ended_at__lt=moment, names_removed_at=None)


class Room(models.Model):
    """`revision` grows with every change that its people see, `stage` with those that
    put something else before them: a step, a run, an answer that is shown.

    Rows are taken in the order step, run, room, seat, so that two verbs never wait for
    each other.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=30, unique=True, default=new_token)
    code = models.CharField(max_length=10, default=new_code)
    title = models.CharField(max_length=100, blank=True, default="")
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rooms"
    )
    driver = models.ForeignKey(
        "lab.RoomSeat", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    frozen_until = models.DateTimeField(null=True)
    names_removed_at = models.DateTimeField(null=True)
    """Since when those who joined it have no names any more."""
    revision = models.PositiveIntegerField(default=1)
    stage = models.PositiveIntegerField(default=1)

    objects = RoomQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["code"],
                condition=models.Q(ended_at=None),
                name="one_open_room_per_code",
            )
        ]

    def __str__(self) -> str:
        return self.title or self.code

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None

    def is_frozen(self, now: datetime) -> bool:
        return self.frozen_until is not None and self.frozen_until > now

    @property
    def present_seats(self) -> "models.QuerySet[RoomSeat]":
        """Those that were not removed, in the order in which they came."""
        return self.seats.filter(removed_at=None).order_by("pk")

    @property
    def step(self) -> "Step | None":
        """What is before everybody now."""
        return self.listed_steps.order_by("-number").first()

    @property
    def listed_steps(self) -> "models.QuerySet[Step]":
        """With the runs that they show, but without the long reports of those."""
        return self.steps.select_related("run").defer("run__report")

    def hold(self) -> None:
        """Take the room's row until the transaction ends, and read it again.

        Raises RoomError when the room has ended meanwhile.
        """
        Room.objects.select_for_update(no_key=True).get(pk=self.pk)
        self.refresh_from_db()
        if self.is_over:
            raise RoomError(OVER)

    @transaction.atomic
    def changed(self, *, stage: bool = False) -> None:
        """Tell everybody's page that there is something new."""
        more = {"revision": F("revision") + 1}
        if stage:
            more["stage"] = F("stage") + 1
        Room.objects.filter(pk=self.pk).update(**more)
        bell.ring_room(self.pk)
        self.refresh_from_db(fields=["revision", "stage"])

    @transaction.atomic
    def begin(
        self,
        now: datetime,
        *,
        card: str = "",
        experiment: str = "",
        run: "Run | None" = None,
    ) -> "Step":
        """Put the next card, experiment or run before everybody."""
        self.hold()
        last = self.step
        step = self.steps.create(
            number=last.number + 1 if last else 1,
            card=card,
            experiment=experiment,
            run=run,
            begun_at=now,
        )
        self.changed(stage=True)
        return step

    @transaction.atomic
    def show(self, shown: int) -> None:
        """Open more of the present card's answer for all, or close it again."""
        step = self.step
        if step is None or not step.card:
            raise RoomError("There is no card before the room whose answer could open.")
        step.shown = shown
        step.save(update_fields=["shown"])
        self.hold()
        self.changed(stage=True)

    @transaction.atomic
    def hand_over(self, seat: "RoomSeat") -> None:
        """Whoever has no seat here any more cannot drive: RoomError."""
        self.hold()
        if not self.present_seats.filter(pk=seat.pk).update(hand_raised_at=None):
            raise RoomError(f"{seat} has left the room: choose somebody else to drive.")
        self.driver = seat
        self.save(update_fields=["driver"])
        self.changed()

    @transaction.atomic
    def freeze(self, until: datetime | None) -> None:
        self.hold()
        self.frozen_until = until
        self.save(update_fields=["frozen_until"])
        self.changed()

    @transaction.atomic
    def remove(self, seat: "RoomSeat", now: datetime) -> None:
        """Its cookie opens nothing any more, nor does the code that it knows."""
        self.hold()
        if seat.is_host:
            raise RoomError("The host cannot be removed. End the room instead.")
        self.code = Room.objects.free_code()
        self.save(update_fields=["code"])
        self._let_go(seat, now, has_left=False)

    @transaction.atomic
    def let_go(self, seat: "RoomSeat", now: datetime) -> None:
        """Of its own will: the code stays. The host's seat stays, too."""
        self.hold()
        if not seat.is_host:
            self._let_go(seat, now, has_left=True)

    def _let_go(self, seat: "RoomSeat", now: datetime, *, has_left: bool) -> None:
        # Who comes second, the host or the person, changes nothing.
        self.seats.filter(pk=seat.pk, removed_at=None).update(
            removed_at=now, has_left=has_left, hand_raised_at=None
        )
        if self.driver_id == seat.pk:
            self.driver = self.seats.filter(is_host=True).first()
            self.save(update_fields=["driver"])
        self.changed()

    @transaction.atomic
    def renew_code(self) -> None:
        self.hold()
        self.code = Room.objects.free_code()
        self.save(update_fields=["code"])
        self.changed()

    def end(self, now: datetime) -> None:
        """Over for all. Its runs are asked to stop: nobody here could do it later, and
        the endpoint is not the room's alone. What they have measured stays."""
        with transaction.atomic():
            self.hold()
            self.ended_at, self.frozen_until = now, None
            self.save(update_fields=["ended_at", "frozen_until"])
            self.changed(stage=True)
        for run in self.runs().exclude(status__in=Status.over()):
            run.ask_stop(now)

    def runs(self) -> "models.QuerySet[Run]":
        """Those that were asked for here."""
        from .run import Run  # its table refers to this one

        return Run.objects.filter(step__room=self)

    @transaction.atomic
    def remove_names(self, now: datetime) -> None:
        """Forget how people called themselves at the door, and which account sat where;
        what they did stays.

        A seat of an account opens nothing any more: its cookie alone never did.
        """
        guests = self.seats.filter(is_host=False).order_by("pk")
        for number, seat in enumerate(guests, 1):
            forgotten = {"name": f"Guest {number}", "user": None}
            if seat.user_id:
                forgotten["token_hash"] = hashed(new_token())
            self.seats.filter(pk=seat.pk).update(**forgotten)
        self.names_removed_at = now
        self.save(update_fields=["names_removed_at"])
