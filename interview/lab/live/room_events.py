"""Streams of a room: its own changes, and the batches of its runs, for a seat."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_GET

from ..models import Run
from ..rooms.access import seat_in
from .events import Wanted, wanted
from .guard import guard
from .hub import hub
from .room_hub import Place, room_hub
from .room_stream import room_stream
from .sign_in import SignIn, sign_in_of
from .sse import event_stream, let_thread_go, permitted
from .stream import stream
from .subscriber import Subscriber


@dataclass(frozen=True, slots=True)
class Seated:
    """What a stream is for, and what must stay true as long as it is open."""

    place: Place
    sign_in: SignIn | None
    """None of a guest, whose seat hangs on its cookie alone."""
    run: Wanted | None = None
    """None is the stream of the room itself."""


@login_not_required
@require_GET
async def events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """How the room stands, now and at each change."""
    return event_stream(frames_for(await permitted(seated, request, slug)))


@login_not_required
@require_GET
async def run_events(request: HttpRequest, slug: str, run: str) -> HttpResponseBase:
    """As `events` of a run, as long as the seat is not removed."""
    return event_stream(frames_for(await permitted(seated, request, slug, run)))


def seated(request: HttpRequest, slug: str, run: str = "") -> Seated:
    seat = seat_in(request, slug)
    of_room = Run.objects.of_room(seat.room)
    return Seated(
        Place(seat.room_id, seat.pk),
        sign_in_of(request) if seat.user_id else None,
        wanted(request, of_room, run) if run else None,
    )


async def frames_for(seated: Seated) -> AsyncGenerator[bytes]:
    """Frames of the room, or of a run there, as long as the seat may have them."""
    let_thread_go()
    watcher, place, chosen = Subscriber(), seated.place, seated.run
    guard.hold(watcher, seated.sign_in)
    room_hub.subscribe(place, watcher, guarded=chosen is not None)
    frames = (
        stream(hub, chosen.run, chosen.after, watcher)
        if chosen
        else room_stream(watcher)
    )
    try:
        async with aclosing(frames):
            async for frame in frames:
                yield frame
    finally:
        guard.leave(watcher)
        room_hub.leave(place, watcher)
