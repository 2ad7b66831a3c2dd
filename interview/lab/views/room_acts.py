"""What changes a room itself: its steps, who drives, quiet minutes, seats, its end."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from interview.web.page import page

from ..errors import LabError, RoomError
from ..models import Room, RoomSeat, Shown
from ..rooms.access import acting_seat, host_seat
from ..rooms.choice import NotOneChoice, named
from ..rooms.opening import Opening
from ..rooms.room_page import room_context
from ..rooms.seat_cookie import take_seat
from .rooms import LOCAL_OWNER, enter

LEFT_ITS_OWN = f"You have left. Go back, and you are the host: {LOCAL_OWNER}"
QUIET_MINUTES = 30
"""At most, in one go."""

Act = Callable[[HttpRequest, RoomSeat], HttpResponse | None]
View = Callable[[HttpRequest, str], HttpResponse]


def act(seat_of: Callable[[HttpRequest, str], RoomSeat]) -> Callable[[Act], View]:
    """A view for who has such a seat; what the room refuses it says on the page."""

    def view_of(change: Act) -> View:
        @login_not_required
        @require_POST
        @wraps(change)
        def view(request: HttpRequest, slug: str) -> HttpResponse:
            seat = seat_of(request, slug)
            try:
                return change(request, seat) or enter(seat.room)
            except LabError as error:
                return refused(request, seat, str(error))

        return view

    return view_of


def refused(
    request: HttpRequest, seat: RoomSeat, problem: str, **more: Any
) -> HttpResponse:
    """The room as it is, with the sentence that says why nothing happened."""
    context = room_context(seat, problem=problem) | more
    return page(request, "lab/room.html", context, part="room", status=422)


@act(host_seat)
def begin(request: HttpRequest, seat: RoomSeat) -> HttpResponse | None:
    room = seat.room
    try:
        first = Opening.of(room.host, named(request.POST.dict()))
    except NotOneChoice as unclear:
        return refused(request, seat, "", unclear=unclear)
    room.begin(
        timezone.now(), card=first.card, experiment=first.experiment, run=first.run
    )
    return None


@act(host_seat)
def show(request: HttpRequest, seat: RoomSeat) -> None:
    """Open a card's answers for all: `shown` 1 the short one, 2 the full one."""
    shown = whole(request, "shown", max(Shown.values), "how much of the answer to open")
    seat.room.show(shown)


@act(host_seat)
def hand_over(request: HttpRequest, seat: RoomSeat) -> None:
    driver = seat_named(request, seat.room)
    seat.room.hand_over(driver)
    if driver.away_s(timezone.now()) is not None:
        messages.info(
            request, f"{driver} drives now, and is away. You can take over any time."
        )


@act(acting_seat)
def hand(request: HttpRequest, seat: RoomSeat) -> None:
    """Raise the hand to drive, or take it down."""
    seat.raise_hand(timezone.now() if request.POST.get("raised") == "1" else None)


@act(host_seat)
def freeze(request: HttpRequest, seat: RoomSeat) -> None:
    """Quiet for so many `minutes`; 0 ends it."""
    minutes = whole(request, "minutes", QUIET_MINUTES, "for how many minutes")
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    seat.room.freeze(until)


@act(host_seat)
def remove(request: HttpRequest, seat: RoomSeat) -> None:
    seat.room.remove(seat_named(request, seat.room), timezone.now())


@act(host_seat)
def renew_code(request: HttpRequest, seat: RoomSeat) -> None:
    seat.room.renew_code()


@act(acting_seat)
def leave(request: HttpRequest, seat: RoomSeat) -> HttpResponse:
    """Give the seat back. The host goes out and keeps it: a room needs one."""
    if seat.is_host:
        return HttpResponseRedirect(reverse("room:rooms"), status=303)
    seat.room.let_go(seat, timezone.now())
    if owns_again(request, seat.room):
        messages.info(request, LEFT_ITS_OWN)
    response = HttpResponseRedirect(reverse("room:ask_code"), status=303)
    take_seat(response, seat.room)
    return response


def owns_again(request: HttpRequest, room: Room) -> bool:
    """Without this seat they are who is signed in: on one’s own computer the host."""
    return request.user.is_authenticated and request.user.pk == room.host_id


@act(host_seat)
def end(request: HttpRequest, seat: RoomSeat) -> None:
    seat.room.end(timezone.now())


def seat_named(request: HttpRequest, room: Room) -> RoomSeat:
    """The seat of this room that the form names; RoomError when it has none such."""
    try:
        key = uuid.UUID(request.POST.get("seat", ""))
    except ValueError as error:
        raise RoomError("Choose a seat of this room.") from error
    if seat := room.present_seats.filter(pk=key).first():
        return seat
    raise RoomError("That seat is not in this room any more: choose another one.")


def whole(request: HttpRequest, field: str, most: int, what: str) -> int:
    """The field as a whole number from 0 to `most`."""
    text = request.POST.get(field, "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= most:
        return int(text)
    raise RoomError(f"Say {what} with a whole number from 0 to {most}.")
