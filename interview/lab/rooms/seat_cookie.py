"""How a browser keeps its seat: one cookie for the room, one for the room's door.

The room's cookie is sent below the room's address alone, so the door would not know
whom it let in before; the door's cookie tells it, and opens nothing else.
"""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from interview.accounts.seat import COOKIE, hashed, sit_down, stand_up

from ..models import Room, RoomSeat


@dataclass(frozen=True, slots=True)
class Kept:
    seat: RoomSeat
    token: str | None
    """None of a seat that hangs on a sign-in."""


def kept_seat(request: HttpRequest, room: Room) -> Kept | None:
    """The seat that whoever stands at the door has in the room already."""
    here = RoomSeat.objects.usable().filter(room=room)
    token = request.COOKIES.get(door_cookie(room), "")
    if seat := here.of_token(token, request).first():
        return Kept(seat, token)
    # On one's own computer everybody is the owner, and may sit there twice.
    if settings.PREFILL_MODE == "local" or not request.user.is_authenticated:
        return None
    mine = here.filter(user=request.user).order_by("-is_host", "-pk").first()
    return Kept(mine, None) if mine else None


def give_seat(response: HttpResponse, room: Room, token: str) -> None:
    sit_down(response, token, path_of(room))
    sit_down(response, token, door_path(), door_cookie(room))


def take_seat(response: HttpResponse, room: Room) -> None:
    stand_up(response, path_of(room))
    stand_up(response, door_path(), door_cookie(room))


def path_of(room: Room) -> str:
    return reverse("room:room", args=[room.slug])


def door_path() -> str:
    return reverse("room:ask_code")


def door_cookie(room: Room) -> str:
    """One for each room: a browser may have seats in several."""
    return f"{COOKIE}.{room.pk.hex[-12:]}"


def has_lost_seat(request: HttpRequest, seat: RoomSeat) -> bool:
    """The browser of this host holds a seat of the room that was taken back."""
    token = request.COOKIES.get(COOKIE, "")
    if not (seat.is_host and token):
        return False
    lost = seat.room.seats.exclude(removed_at=None)
    return lost.filter(token_hash=hashed(token)).exists()
