"""How a room stands at one moment, as its stream tells it: rows, then plain arithmetic.

It reads and computes; it neither waits nor knows who watches.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil
from uuid import UUID

from django.db.models import Exists, OuterRef

from ..models import Room, RoomSeat, Run
from .presence import AWAY_AFTER, is_there


@dataclass(frozen=True, slots=True)
class RoomRow:
    revision: int
    stage: int
    opened_at: datetime
    ended_at: datetime | None
    frozen_until: datetime | None
    is_measuring: bool
    """A run of it is under way."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    seat: UUID
    is_host: bool
    seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class RoomState:
    """What `event: room` says. Two are equal when there is nothing new to tell."""

    revision: int
    stage: int
    present: tuple[UUID, ...]
    """In the order in which they took their seats."""
    host_is_away: bool
    is_frozen: bool
    is_over: bool
    is_settled: bool = False
    """Over, and none of its runs is under way: there is nothing more to tell."""
    host_away_s: int | None = field(default=None, compare=False)
    frozen_s: int | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, object]:
        return {
            "revision": self.revision,
            "stage": self.stage,
            "present": [str(seat) for seat in self.present],
            "host_away_s": self.host_away_s,
            "frozen_s": self.frozen_s,
            "is_over": self.is_over,
        }


def rooms(keys: Collection[UUID]) -> dict[UUID, RoomRow]:
    wanted = Room.objects.filter(pk__in=keys).order_by()
    runs = Run.objects.filter(step__room=OuterRef("pk")).under_way()
    rows = wanted.annotate(is_measuring=Exists(runs)).values_list(
        *("pk", "revision", "stage", "opened_at", "ended_at", "frozen_until"),
        "is_measuring",
    )
    return {row[0]: RoomRow(*row[1:]) for row in rows}


def seats(keys: Collection[UUID]) -> dict[UUID, dict[UUID, SeatRow]]:
    """By room, then by seat: those that may watch."""
    found: dict[UUID, dict[UUID, SeatRow]] = defaultdict(dict)
    rows = RoomSeat.objects.usable().filter(room__in=keys).order_by("pk")
    for row in rows.values_list("room", "pk", "is_host", "seen_at"):
        found[row[0]][row[1]] = SeatRow(*row[1:])
    return found


def state_of(
    room: RoomRow,
    seats: Mapping[UUID, SeatRow],
    connected: Collection[UUID],
    now: datetime,
) -> RoomState:
    """`connected` are the seats whose streams are open here."""
    is_over = room.ended_at is not None
    there = [
        row
        for row in seats.values()
        if row.seat in connected or is_there(row.seen_at, now)
    ]
    host = next((row for row in seats.values() if row.is_host), None)
    last_seen = (host and host.seen_at) or room.opened_at
    away = now - last_seen
    host_is_away = not is_over and host not in there and away >= AWAY_AFTER
    left = room.frozen_until - now if room.frozen_until else None
    is_frozen = left is not None and left.total_seconds() > 0
    return RoomState(
        revision=room.revision,
        stage=room.stage,
        present=() if is_over else tuple(row.seat for row in there),
        host_is_away=host_is_away,
        is_frozen=is_frozen,
        is_over=is_over,
        is_settled=is_over and not room.is_measuring,
        host_away_s=int(away.total_seconds()) if host_is_away else None,
        frozen_s=ceil(left.total_seconds()) if left is not None and is_frozen else None,
    )
