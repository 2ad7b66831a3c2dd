"""The one streaming view: who may watch is decided here, before the first byte."""

import asyncio
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.views.decorators.http import require_GET

from .hub import hub
from .models import Run
from .stopping import Stopping
from .stream import stream
from .visible import person

RETRY_AFTER_S = 10
stopping = Stopping(hub.stop)


@require_GET
async def events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A run's batches from behind `Last-Event-ID`, else `?after=`, else all."""
    run_id, last_seq = await sync_to_async(watchable)(request, slug)
    if hub.watchers >= settings.LAB_MAX_WATCHERS:
        return HttpResponse(
            "Too many people watch at the moment; try again soon.",
            status=503,
            headers={"Retry-After": str(RETRY_AFTER_S)},
        )
    stopping.watch(asyncio.get_running_loop())
    return StreamingHttpResponse(
        stream(hub, run_id, start_of(request, last_seq)),
        content_type="text/event-stream",
        headers={
            "Cache-Control": "no-cache, no-transform",
            "X-Accel-Buffering": "no",
        },
    )


def watchable(request: HttpRequest, slug: str) -> tuple[UUID, int]:
    """Key and last seq of the run; 404 also when it is someone else's.

    Gives the connection back: a stream would keep it as long as it lasts.
    """
    try:
        found = Run.objects.visible_to(person(request)).filter(slug=slug)
        row = found.values_list("pk", "last_seq").first()
    finally:
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close()
    if row is None:
        raise Http404
    return row


def start_of(request: HttpRequest, last_seq: int) -> int:
    """The seq to go on from; nonsense, and what was never sent, means all."""
    wanted = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
    after = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else 0
    return after if after <= last_seq else 0
