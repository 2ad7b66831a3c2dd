"""Rooms: one's own, a new one, and the room itself."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.web.page import page

from ..models import Room, RoomSeat, Run, Step
from ..rooms.access import seat_in
from ..rooms.choice import NotOneChoice, named
from ..rooms.name import read_title
from ..rooms.opening import NothingThere, Opening
from ..rooms.own_rooms import rooms_context
from ..rooms.room_page import frame_of, room_context
from ..rooms.seat_cookie import has_lost_seat, take_seat
from ..runs.visible import person

TITLE_LENGTH = 100
LOCAL_OWNER = "on a local installation everybody who reaches this page is its owner."
BACK_AS_HOST = f"Your seat is gone, and you are back as the host: {LOCAL_OWNER}"
NAMELESS = "A room of {}"


@require_http_methods(["GET", "HEAD", "POST"])
def rooms(request: HttpRequest) -> HttpResponse:
    """`card`, `experiment`, `run` or `next` names what a new room begins with."""
    who, is_post = person(request), request.method == "POST"
    opening, problem, unclear = Opening(), "", None
    try:
        opening = Opening.of(
            who, named((request.POST if is_post else request.GET).dict())
        )
    except NotOneChoice as several:
        problem, unclear = str(several), several
    except NothingThere as missing:
        problem = str(missing)
    if is_post and not problem:
        title = (
            read_title(request.POST.get("title", ""))
            or opening.title
            or NAMELESS.format(who)
        )
        return enter(opened(request, title[:TITLE_LENGTH], opening))
    context = rooms_context(who) | {
        "opening": opening,
        "problem": problem,
        "unclear": unclear,
        "title": request.POST.get("title", ""),
    }
    return page(request, "lab/rooms.html", context, status=422 if is_post else 200)


def opened(request: HttpRequest, title: str, opening: Opening) -> Room:
    now = timezone.now()
    room = Room.objects.open(person(request), title, now)
    if opening.fields:
        room.begin(
            now, card=opening.card, experiment=opening.experiment, run=opening.run
        )
    return room


@login_not_required
@require_safe
def room(request: HttpRequest, slug: str) -> HttpResponse:
    seat = seat_in(request, slug)
    if is_frame(request) or not has_lost_seat(request, seat):
        return room_page(request, seat)
    messages.info(request, BACK_AS_HOST)
    response = room_page(request, seat)
    take_seat(response, seat.room)
    return response


@login_not_required
@require_safe
def step(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An earlier step, for who does not follow the host."""
    seat = seat_in(request, slug)
    shown = get_object_or_404(seat.room.listed_steps, number=number)
    return room_page(request, seat, shown)


def room_page(
    request: HttpRequest,
    seat: RoomSeat,
    chosen: Step | None = None,
    run: Run | None = None,
) -> HttpResponse:
    """With `?part=frame` only what changes without the stage: see `frame_of`."""
    if is_frame(request):
        context = frame_of(seat, chosen, run=run)
        return page(request, "lab/room.html#room", context)
    context = room_context(seat, chosen, run=run)
    return page(request, "lab/room.html", context, part="room")


def is_frame(request: HttpRequest) -> bool:
    return request.GET.get("part") == "frame"


def enter(opened: Room) -> HttpResponse:
    where = reverse("room:room", args=[opened.slug])
    return HttpResponseRedirect(where, status=303)
