"""Who asks in a room: a seat with its role, decided anew at every request."""

from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from ..errors import RoomError
from ..models import Room, RoomSeat, SeatRole
from ..models.room import OVER

NO_SEAT = "You have no seat in this room. Ask its host for the code, then join."
NOT_YOURS = {
    SeatRole.HOST: "Only the host of this room may do that.",
    SeatRole.DRIVER: "Only who drives, or the host, may do that.",
}
FROZEN = (
    "The room is quiet: nobody starts a run until the quiet minutes are over. "
    "Predictions can be locked meanwhile."
)


class NoSeat(PermissionDenied):
    """`ways` lead in, as (address, words): the page of the refusal has them."""

    def __init__(self, request: HttpRequest, room: Room) -> None:
        super().__init__(NO_SEAT)
        self.ways = [(reverse("room:ask_code"), "Join with a code")]
        if settings.PREFILL_MODE == "shared" and not request.user.is_authenticated:
            back = urlencode({"next": reverse("room:room", args=[room.slug])})
            sign_in = f"{reverse('accounts:sign_in')}?{back}"
            self.ways.insert(0, (sign_in, "Sign in, if the room is yours"))


def seat_in(request: HttpRequest, slug: str) -> RoomSeat:
    """The seat of whoever asks; 404 without such a room, 403 without a seat."""
    room = get_object_or_404(Room, slug=slug)
    seat = RoomSeat.of_request(request, room)
    if seat is None:
        raise NoSeat(request, room)
    if not room.is_over:
        seat.see(timezone.now())
    return seat


def acting_seat(request: HttpRequest, slug: str) -> RoomSeat:
    """A seat in a room that is still open; PermissionDenied when it has ended."""
    seat = seat_in(request, slug)
    if seat.room.is_over:
        raise PermissionDenied(OVER)
    return seat


def host_seat(request: HttpRequest, slug: str) -> RoomSeat:
    seat = acting_seat(request, slug)
    if not seat.is_host:
        raise PermissionDenied(NOT_YOURS[SeatRole.HOST])
    return seat


def driving_seat(request: HttpRequest, slug: str) -> RoomSeat:
    """Whoever drives, or the host: they may stop a run, whatever the room does."""
    seat = acting_seat(request, slug)
    if not (seat.is_driving or seat.is_host):
        raise PermissionDenied(NOT_YOURS[SeatRole.DRIVER])
    return seat


def check_lively(room: Room) -> None:
    """RoomError with a sentence while the room is frozen: nothing starts then."""
    if room.is_frozen(timezone.now()):
        raise RoomError(FROZEN)
