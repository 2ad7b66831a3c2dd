"""One listener per process, however many watch: reads new rows once, hands them to all.

The table is the log: a watcher that falls behind loses its queue, never an event.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db import DatabaseError, connections

from .doorbell import Ring, rings
from .snapshot import AT_ONCE, State, batches, look
from .spawn import spawn

log = logging.getLogger(__name__)

QUEUE_ITEMS = 64


@dataclass(frozen=True, slots=True)
class Batch:
    seq: int
    payload: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The queue overflowed: what follows must be read from the table."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The server stops."""


Item = Batch | State | Gap | Bye


class Subscriber:
    """A bounded queue of one watcher; nobody ever waits for it to have room."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Item] = asyncio.Queue(QUEUE_ITEMS)

    def give(self, item: Item) -> None:
        if self._queue.full():
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(Gap())
        self._queue.put_nowait(item)

    async def next(self) -> Item:
        return await self._queue.get()


@dataclass(slots=True)
class Channel:
    """All watchers of one run in this process."""

    seen: int
    """Seq of the last batch handed out."""
    state: State
    watchers: set[Subscriber] = field(default_factory=set)

    def give(self, item: Item) -> None:
        for watcher in self.watchers:
            watcher.give(item)

    def say(self, state: State) -> None:
        """Tell a state when it is news; also when only the watchers changed."""
        state = replace(state, watchers=len(self.watchers))
        if state != self.state:
            self.state = state
            self.give(state)


class Hub:
    """Used from one event loop. Its reads run on one thread: one connection at most."""

    def __init__(self) -> None:
        self._channels: dict[UUID, Channel] = {}
        self._listener: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._stopping = False

    @property
    def watchers(self) -> int:
        return sum(len(channel.watchers) for channel in self._channels.values())

    async def subscribe(self, run_id: UUID) -> Subscriber:
        """From here on, every new batch and state of the run comes into the queue.

        What is there already the watcher reads itself, with `state` and `rows`.
        """
        if run_id not in self._channels:
            state, seen = await self._state(run_id)
            self._channels.setdefault(run_id, Channel(seen, state))
        subscriber, channel = Subscriber(), self._channels[run_id]
        channel.watchers.add(subscriber)
        channel.say(channel.state)
        if self._stopping:
            subscriber.give(Bye())
        if self._listener is None:
            self._listener = spawn(self._follow(), "lab hub")
        return subscriber

    def leave(self, run_id: UUID, subscriber: Subscriber) -> None:
        channel = self._channels[run_id]
        channel.watchers.discard(subscriber)
        channel.say(channel.state)
        if not channel.watchers:
            del self._channels[run_id]
        if not self._channels:
            self._rest()

    async def state(self, run_id: UUID) -> State:
        """How the run stands now; rows read afterwards are complete when it is over."""
        state, _ = await self._state(run_id)
        return replace(state, watchers=len(self._channels[run_id].watchers))

    async def rows(self, run_id: UUID, after: int) -> AsyncGenerator[Batch]:
        """All stored batches with a seq > `after`, in order."""
        while found := await self._read(batches, run_id, after):
            for seq, payload in found:
                yield Batch(seq, payload)
            after = found[-1][0]
            if len(found) < AT_ONCE:
                return

    def stop(self) -> None:
        """Say goodbye to all watchers, now and later."""
        self._stopping = True
        for channel in self._channels.values():
            channel.give(Bye())

    async def _state(self, run_id: UUID) -> tuple[State, int]:
        found = (await self._read(look, {run_id: NOTHING_NEW}))[run_id]
        return State(found.status, found.place, 0, found.worker), found.last_seq

    async def _follow(self) -> None:
        async with aclosing(rings()) as heard:
            async for ring in heard:
                try:
                    await self._hand_out(ring)
                except DatabaseError as error:
                    log.warning("The lab hub could not read, it tries again: %s", error)

    async def _hand_out(self, ring: Ring) -> None:
        chosen = self._channels if ring is None else {ring} & self._channels.keys()
        seen = {run_id: self._channels[run_id].seen for run_id in chosen}
        found = await self._read(look, seen) if seen else {}
        for run_id, news in found.items():
            if (channel := self._channels.get(run_id)) is None:
                continue
            for seq, payload in news.batches:
                channel.seen = seq
                channel.give(Batch(seq, payload))
            if channel.seen == news.last_seq:
                channel.say(State(news.status, news.place, 0, news.worker))

    async def _read[**P, T](
        self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "lab-hub")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, _careful, lambda: read(*args, **kwargs)
        )

    def _rest(self) -> None:
        """Nobody watches: no listener, no thread, no connection."""
        if self._listener:
            self._listener.cancel()
            self._listener = None
        if self._thread:
            self._thread.submit(connections.close_all)
            self._thread.shutdown(wait=False)
            self._thread = None


NOTHING_NEW = 2**31
"""A seq after every batch."""


def _careful[T](read: Callable[[], T]) -> T:
    try:
        return read()
    except DatabaseError:
        connections.close_all()
        raise


hub = Hub()
