"""An answer that stays open: who may have one more, and what it must not keep."""

import asyncio
from collections.abc import AsyncGenerator, Callable

from asgiref.sync import SyncToAsync, sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse

from .listener import listener
from .stopping import Stopping

RETRY_AFTER_S = 10
stopping = Stopping(listener.stop)


async def permitted[**P, T](
    ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """What `ask` finds in the database, or the error with which it refuses.

    The connection is given back: a stream would keep it as long as it lasts.
    """
    return await sync_to_async(_without_connection)(lambda: ask(*args, **kwargs))


def event_stream(frames: AsyncGenerator[bytes]) -> HttpResponseBase:
    """The frames as an answer; 503 when as many watch as this process takes."""
    if listener.watchers >= settings.LAB_MAX_WATCHERS:
        return HttpResponse(
            "Too many people watch at the moment; try again soon.",
            status=503,
            headers={"Retry-After": str(RETRY_AFTER_S)},
        )
    stopping.watch(asyncio.get_running_loop())
    return StreamingHttpResponse(
        frames,
        content_type="text/event-stream",
        headers={
            "Cache-Control": "no-cache, no-transform",
            "X-Accel-Buffering": "no",
        },
    )


def let_thread_go() -> None:
    """End the thread that served this request's middleware; it would wait for hours.

    What the request still has to do in a thread at its end gets a new one.
    """
    context = SyncToAsync.thread_sensitive_context.get(None)
    if context is None:
        return
    if thread := SyncToAsync.context_to_thread_executor.pop(context, None):
        thread.submit(connections.close_all)
        thread.shutdown(wait=False)


def _without_connection[T](ask: Callable[[], T]) -> T:
    try:
        return ask()
    finally:
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close()
