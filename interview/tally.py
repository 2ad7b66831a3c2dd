"""What each web process of this machine counts, in small files that all can read.

A file per process: its numbers outlive the process, its lock does not.
"""

import mmap
import os
import struct
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # Windows locks no such file

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

FOLDER = "web"
"""Below the data folder."""
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
STREAMS = len(CLASSES)
"""The place of the open event streams, behind the answers by class of status."""
NUMBERS = struct.Struct(f"={len(CLASSES) + 1}q")
ONE = struct.Struct("=q")
EVENT_STREAM = b"text/event-stream"


class Tally:
    """The numbers of this process; written from one thread."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT
        # Open until the process ends: that is what gives the lock back.
        self._file = os.open(folder / str(os.getpid()), flags, 0o600)
        if fcntl:
            fcntl.flock(self._file, fcntl.LOCK_EX)
        os.truncate(self._file, NUMBERS.size)
        self._numbers = mmap.mmap(self._file, NUMBERS.size)
        # The last process of this id may have died with streams open.
        ONE.pack_into(self._numbers, STREAMS * ONE.size, 0)

    def add(self, place: int, number: int) -> None:
        offset = place * ONE.size
        (before,) = ONE.unpack_from(self._numbers, offset)
        ONE.pack_into(self._numbers, offset, before + number)


class Counted:
    """An ASGI application whose answers and open event streams are counted."""

    def __init__(self, app: Any, folder: Path) -> None:
        self._app = app
        self._tally = Tally(folder)

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        tally, streams = self._tally, 0

        async def told(message: MutableMapping[str, Any]) -> None:
            nonlocal streams
            if message["type"] == "http.response.start":
                tally.add(message["status"] // 100 - 1, 1)
                if is_event_stream(message):
                    streams = 1
                    tally.add(STREAMS, 1)
            await send(message)

        try:
            await self._app(scope, receive, told)
        finally:
            tally.add(STREAMS, -streams)


def is_event_stream(message: MutableMapping[str, Any]) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(EVENT_STREAM)
        for name, value in message.get("headers", ())
    )


@dataclass(frozen=True, slots=True)
class Total:
    """Over all web processes of this machine since `manage.py up` started."""

    answers: dict[str, int]
    """By class of status; those of processes that died are in it."""
    streams: int
    """Open event streams of the processes that live."""
    processes: int


def total(folder: Path) -> Total:
    sums, streams, processes = [0] * len(CLASSES), 0, 0
    for path in folder.glob("*"):
        found = path.read_bytes()
        if len(found) != NUMBERS.size:
            continue
        *answers, open_streams = NUMBERS.unpack(found)
        sums = [a + b for a, b in zip(sums, answers, strict=True)]
        if lives(path):
            streams, processes = streams + open_streams, processes + 1
    return Total(dict(zip(CLASSES, sums, strict=True)), streams, processes)


def lives(path: Path) -> bool:
    """Whether the process that writes this file holds it still."""
    if not fcntl:
        return True
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def forget(folder: Path) -> None:
    """Begin anew; for whoever starts the first web process."""
    for path in folder.glob("*"):
        path.unlink()
