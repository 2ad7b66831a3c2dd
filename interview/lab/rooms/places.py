"""The strip of seats: who is here, who drives, who is away; knows no page."""

from dataclasses import dataclass
from datetime import datetime

from ..models import Room, RoomSeat


@dataclass(frozen=True, slots=True)
class Place:
    """One seat as everybody sees it."""

    seat: RoomSeat
    is_own: bool
    """Of whoever looks."""
    is_driving: bool
    away_s: int | None
    """Since when nobody sits there; None while somebody does."""

    @property
    def icon(self) -> str:
        """host | driving | watching"""
        if self.seat.is_host:
            return "host"
        return "driving" if self.is_driving else "watching"

    @property
    def words(self) -> str:
        if self.seat.is_host:
            return "Host, driving" if self.is_driving else "Host"
        return "Driving" if self.is_driving else "Watching"

    @property
    def away(self) -> str:
        """ "0:42"; "" while somebody sits there."""
        return "" if self.away_s is None else clock(self.away_s)


def places(room: Room, own: RoomSeat, now: datetime) -> list[Place]:
    """Of all seats that were not removed: the host, who drives, who asks to, the rest.

    Whoever looks is here, whatever the table says.
    """
    found = [
        Place(
            seat=seat,
            is_own=seat.pk == own.pk,
            is_driving=seat.pk == room.driver_id,
            away_s=None if seat.pk == own.pk else seat.away_s(now),
        )
        for seat in room.present_seats
    ]
    return sorted(found, key=order)


def order(place: Place) -> tuple[bool, bool, bool]:
    """As a key; equal ones stay in the order in which they came."""
    asks = place.seat.hand_raised_at is not None
    return not place.seat.is_host, not place.is_driving, not asks


def clock(seconds: int) -> str:
    """ "0:42", "12:05", "1:02:09" """
    minutes, rest = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest:02}"
    return f"{minutes}:{rest:02}"
