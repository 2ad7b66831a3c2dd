"""The door of a room: a code, a name, and what is kept of it."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.attempts import ROOM_CODE, check, guess
from interview.accounts.seat import NAME_LENGTH
from interview.accounts.unlisted import unlisted
from interview.web.page import page

from ..errors import RoomError
from ..models import Room, RoomSeat
from ..rooms.code import read_code
from ..rooms.name import read_name
from ..rooms.seat_cookie import give_seat, kept_seat
from .rooms import enter

NO_SUCH_ROOM = (
    "No open room has the code {}. Ask the host to read it to you once more; "
    "it changes when somebody was removed."
)


@login_not_required
@require_safe
@unlisted
def ask_code(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("code", "")
    if code := read_code(typed):
        return HttpResponseRedirect(reverse("room:join", args=[code]))
    problem = "Type the code that the host shows or says." if typed else ""
    context = {"problem": problem, "code": typed}
    return page(request, "lab/ask_code.html", context, status=422 if problem else 200)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@unlisted
def join(request: HttpRequest, code: str) -> HttpResponse:
    """A look at the door takes no seat: programs follow links, too."""
    room = Room.objects.open_now().filter(code=read_code(code)).first()
    if room and (kept := kept_seat(request, room)):
        return let_in(room, kept.token)
    # Whoever has no seat there learns nothing more of this code.
    check(request, ROOM_CODE)
    if room is None:
        guess(request, ROOM_CODE)
        context = {"problem": NO_SUCH_ROOM.format(code), "code": code}
        return page(request, "lab/ask_code.html", context, status=404)
    if request.method != "POST":
        return door(request, room)
    try:
        return sit(request, room)
    except RoomError as error:
        return door(request, room, problem=str(error))


def sit(request: HttpRequest, room: Room) -> HttpResponse:
    name = read_name(request.POST.get("name", ""))
    user = request.user if request.user.is_authenticated else None
    _, token = RoomSeat.objects.take(room, name, timezone.now(), user=user)
    return let_in(room, token)


def let_in(room: Room, token: str | None) -> HttpResponse:
    response = enter(room)
    if token:
        give_seat(response, room, token)
    return response


def known_name(request: HttpRequest) -> str:
    """Of who is signed in; on one's own computer everybody is, and is no one in
    particular."""
    if settings.PREFILL_MODE == "local" or not request.user.is_authenticated:
        return ""
    return request.user.name[:NAME_LENGTH]


def door(request: HttpRequest, room: Room, problem: str = "") -> HttpResponse:
    context = {
        "room": room,
        "keep_days": settings.LAB_KEEP_DAYS,
        "problem": problem,
        "name": request.POST.get("name", known_name(request)),
    }
    return page(request, "lab/join.html", context, status=422 if problem else 200)
