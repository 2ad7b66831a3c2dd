"""One watcher's bounded queue, and what may come through it."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ..rooms.snapshot import RoomState
from ..runs.snapshot import State

QUEUE_ITEMS = 64


@dataclass(frozen=True, slots=True)
class Batch:
    seq: int
    frame: bytes
    """As it goes to the browser; made once for all who watch."""

    @classmethod
    def of(cls, seq: int, payload: str) -> "Batch":
        return cls(seq, f"id: {seq}\ndata: {payload}\n\n".encode())


@dataclass(frozen=True, slots=True)
class Portion:
    """Batches that go out together, one behind the other."""

    batches: tuple[Batch, ...]
    frame: bytes
    """All of theirs, joined once for all who watch."""

    @classmethod
    def of(cls, batches: Sequence[Batch]) -> "Portion":
        return cls(tuple(batches), b"".join(batch.frame for batch in batches))

    @property
    def seq(self) -> int:
        return self.batches[-1].seq

    def after(self, seq: int) -> bytes:
        """What is new to whoever has all up to `seq`."""
        if self.batches[0].seq > seq:
            return self.frame
        return b"".join(batch.frame for batch in self.batches if batch.seq > seq)


@dataclass(frozen=True, slots=True)
class Gap:
    """The queue overflowed: what follows must be read from the table."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The server stops."""


@dataclass(frozen=True, slots=True)
class Removed:
    """Whoever watches may not watch any more."""


Ending = Bye | Removed
Item = Portion | State | RoomState | Gap | Ending


class Subscriber:
    """Nobody ever waits for it to have room; one task waits for its items."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self.ending: Ending | None = None

    def give(self, item: Item) -> None:
        if self.ending:
            return
        if len(self._items) >= QUEUE_ITEMS:
            self._items.clear()
            self._items.append(Gap())
        self._put(item)

    def end(self, ending: Ending) -> None:
        """The last item: it takes the place of what waits, and nothing follows it."""
        if self.ending is None:
            self.ending = ending
            self._items.clear()
            self._put(ending)

    async def next(self) -> Item:
        while not self._items:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._items.popleft()

    def portions_at_hand(self) -> list[Portion]:
        """Those that wait in front of everything else: they can go out together."""
        found: list[Portion] = []
        while self._items and isinstance(portion := self._items[0], Portion):
            found.append(portion)
            self._items.popleft()
        return found

    def _put(self, item: Item) -> None:
        self._items.append(item)
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)
