"""The stream of a run: who may watch is decided here, before the first byte."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_GET

from ..models import Run
from ..models.runs import RunQuerySet
from ..runs.visible import person
from .guard import guard
from .hub import hub
from .sign_in import SignIn, sign_in_of
from .sse import event_stream, let_thread_go, permitted
from .stream import stream
from .subscriber import Subscriber


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which run, and behind which batch."""

    run: UUID
    after: int


@require_GET
async def events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A run's batches from behind `Last-Event-ID`, else `?after=`, else all."""
    wanted, sign_in = await permitted(watchable, request, slug)
    return event_stream(held(wanted, sign_in))


def watchable(request: HttpRequest, slug: str) -> tuple[Wanted, SignIn | None]:
    """404 also when the run is someone else's."""
    mine = Run.objects.visible_to(person(request))
    return wanted(request, mine, slug), sign_in_of(request)


async def held(wanted: Wanted, sign_in: SignIn | None) -> AsyncGenerator[bytes]:
    """The run's frames, as long as the person is signed in."""
    let_thread_go()
    watcher = Subscriber()
    guard.hold(watcher, sign_in)
    try:
        frames = stream(hub, wanted.run, wanted.after, watcher)
        async with aclosing(frames):
            async for frame in frames:
                yield frame
    finally:
        guard.leave(watcher)


def wanted(request: HttpRequest, runs: RunQuerySet, slug: str) -> Wanted:
    """The run of that slug among those that may be watched; else 404."""
    row = runs.filter(slug=slug).values_list("pk", "last_seq").first()
    if row is None:
        raise Http404
    return Wanted(row[0], start_of(request, row[1]))


def start_of(request: HttpRequest, last_seq: int) -> int:
    """The seq to go on from; nonsense, and what was never sent, means all."""
    wanted = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
    after = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else 0
    return after if after <= last_seq else 0
