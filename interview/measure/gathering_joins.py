"""Who joins while a gathering runs: lines on stdin, read by a thread."""

import asyncio
import json
from contextlib import suppress


class Joins:
    """Numbers of streams, from 1, in the order in which they were told."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[int] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def take(self, line: bytes) -> None:
        """From any thread. A line that is no join says nothing: more kinds may come."""
        number = join_of(line)
        # After its end the loop is closed, and nobody can join any more.
        with suppress(RuntimeError):
            if number is not None:
                self._loop.call_soon_threadsafe(self._told.put_nowait, number)

    async def next(self) -> int:
        return await self._told.get()


def join_of(line: bytes) -> int | None:
    """n of `{"join": n}`."""
    try:
        number = json.loads(line)["join"]
    except (ValueError, KeyError, TypeError):
        return None
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    return number if is_whole and number > 0 else None
