"""Background tasks of the web process, free of the request that happened to start them.

A task that inherits a request's context keeps a database connection of its own.
"""

import asyncio
import contextvars
import logging
from collections.abc import Coroutine

log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def spawn(work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
    """Run `work` in an empty context; keeps it alive and logs its error."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(work, name=name, context=contextvars.Context())
    _tasks.add(task)
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[None]) -> None:
    _tasks.discard(task)
    if not task.cancelled() and (error := task.exception()):
        log.error("%s ended with an error", task.get_name(), exc_info=error)
