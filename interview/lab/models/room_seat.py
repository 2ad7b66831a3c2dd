"""A place in a room, and what its role allows."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.http import HttpRequest

from interview.accounts.models import User
from interview.accounts.seat import COOKIE, Seat, hashed, new_token

from ..errors import RoomError
from ..live import bell
from ..rooms.name import apart
from ..rooms.presence import WORTH_WRITING, away_s, is_there
from .room import Room


class SeatRole(StrEnum):
    HOST = "host"
    DRIVER = "driver"
    WATCHER = "watcher"


class RoomSeatQuerySet(models.QuerySet["RoomSeat"]):
    @transaction.atomic
    def take(
        self,
        room: Room,
        name: str,
        now: datetime,
        *,
        user: User | None = None,
        is_host: bool = False,
    ) -> tuple["RoomSeat", str]:
        """A new seat and its token, which nobody can ask for again.

        A name that somebody has gets a number; RoomError when the room is full or over.
        """
        room.hold()
        names = list(room.present_seats.values_list("name", flat=True))
        if len(names) >= settings.LAB_MAX_SEATS:
            raise RoomError(
                f"This room is full: all its {settings.LAB_MAX_SEATS} seats are taken. "
                "Ask its host to remove one that nobody uses."
            )
        token = new_token()
        seat = self.create(
            room=room,
            name=apart(name, names),
            user=user,
            is_host=is_host,
            taken_at=now,
            seen_at=now,
            token_hash=hashed(token),
        )
        room.changed()
        return seat, token

    def usable(self) -> Self:
        """A seat is gone when it was removed, or its person was deactivated."""
        nobody = models.Q(user=None)
        return self.filter(nobody | models.Q(user__is_active=True), removed_at=None)

    def of_token(self, token: str, request: HttpRequest) -> Self:
        """What a cookie is worth; a person's seat nothing without that person."""
        person = request.user.pk if request.user.is_authenticated else None
        own = models.Q(user=None) | models.Q(user=person)
        return self.filter(own, token_hash=hashed(token)) if token else self.none()

    @transaction.atomic
    def seen(self, seats: Collection[UUID], now: datetime) -> None:
        """All of them are there: one query.

        A row that somebody else holds is left out, because whoever locks rows in
        another order could wait for us while we wait for them; a beat comes soon again.
        """
        free = self.filter(pk__in=seats).select_for_update(skip_locked=True)
        self.filter(pk__in=free.values("pk")).update(seen_at=now)


class RoomSeat(Seat):
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seats")
    is_host = models.BooleanField(default=False)
    hand_raised_at = models.DateTimeField(null=True)
    """Since when it asks to drive."""
    has_left = models.BooleanField(null=True)
    """Of a removed seat whether it went by itself; None where that was not kept."""

    objects = RoomSeatQuerySet.as_manager()

    @classmethod
    def of_request(cls, request: HttpRequest, room: Room) -> "RoomSeat | None":
        """By its cookie; else the seat of whoever is signed in.

        The cookie comes first: on one's own computer everybody is the owner, and a
        second browser there is somebody else.
        """
        here = cls.objects.usable().filter(room=room).select_related("room")
        if seat := here.of_token(request.COOKIES.get(COOKIE, ""), request).first():
            return seat
        if not request.user.is_authenticated:
            return None
        return here.filter(user=request.user).order_by("-is_host", "-pk").first()

    @property
    def role(self) -> SeatRole:
        if self.is_host:
            return SeatRole.HOST
        driving = self.room.driver_id == self.pk
        return SeatRole.DRIVER if driving else SeatRole.WATCHER

    @property
    def is_driving(self) -> bool:
        """Its press on Run counts; the host may drive, too."""
        return self.room.driver_id == self.pk

    def away_s(self, now: datetime) -> int | None:
        """Whole seconds since it was last seen; None while it is there."""
        return away_s(self.seen_at, self.taken_at, now)

    def see(self, now: datetime) -> None:
        """Its browser asked for something: it is there, also without an open stream.

        Mostly there is nothing to write, and then no transaction waits for others.
        """
        if self.seen_at is not None and self.seen_at > now - WORTH_WRITING:
            return
        was_there = is_there(self.seen_at, now)
        with transaction.atomic():
            RoomSeat.objects.filter(pk=self.pk).update(seen_at=now)
            if not was_there:
                bell.ring_room(self.room_id)
        self.seen_at = now

    @transaction.atomic
    def raise_hand(self, at: datetime | None) -> None:
        """Ask to drive; None takes the hand down."""
        self.room.hold()
        self.hand_raised_at = at
        self.save(update_fields=["hand_raised_at"])
        self.room.changed()
