"""The runs that somebody watches: reads new rows once, hands them to all watchers.

The table is the log: a watcher that falls behind loses its queue, never an event.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field, replace
from uuid import UUID

from ..runs.snapshot import AT_ONCE, State, batches, look
from .doorbell import Ring, RoomRing
from .listener import Listener, listener
from .subscriber import Batch, Bye, Item, Portion, Subscriber

NOTHING_NEW = 2**31
"""A seq after every batch."""
PAGES = 16
"""So many are kept at most, each of 200 batches of some kilobytes."""


PAUSE_PER_WATCHER_S = 0.0006
"""Between two portions: sending one to one watcher takes about a third, so that a
loop with many watchers has time for pages, and for the next portion."""
LONGEST_PAUSE_S = 0.15
FEW = 20
"""So many are told at once how many they are; more hear it with the next look."""


@dataclass(slots=True)
class Channel:
    """All watchers of one run in this process."""

    seen: int
    """Seq of the last batch that was read."""
    state: State
    watchers: set[Subscriber] = field(default_factory=set)
    waiting: list[Batch] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    rests_until: float = 0.0
    """On the loop's clock."""

    def give(self, item: Item) -> None:
        for watcher in self.watchers:
            watcher.give(item)

    def add(self, batches: Iterable[Batch]) -> None:
        """Hand them out now, or when it is time again."""
        self.waiting += batches
        if self.timer or not self.waiting:
            return
        loop = asyncio.get_running_loop()
        if loop.time() >= self.rests_until:
            self.hand_out()
        else:
            self.timer = loop.call_at(self.rests_until, self.hand_out)

    def hand_out(self) -> None:
        """What waits, as one portion."""
        self.rest()
        if self.waiting:
            self.give(Portion.of(self.waiting))
            self.waiting = []
        pause_s = min(PAUSE_PER_WATCHER_S * len(self.watchers), LONGEST_PAUSE_S)
        self.rests_until = asyncio.get_running_loop().time() + pause_s

    def rest(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def say(self, state: State) -> None:
        """Tell a state when it is news; also when only the watchers changed."""
        state = replace(state, watchers=len(self.watchers))
        if state != self.state:
            self.hand_out()
            self.state = state
            self.give(state)

    def count(self) -> None:
        """Tell how many watch: at once as long as that is a short message to few."""
        if len(self.watchers) <= FEW:
            self.say(self.state)


class Hub:
    """Used from one event loop; by default with a listener of its own."""

    def __init__(self, listener: Listener | None = None) -> None:
        self._channels: dict[UUID, Channel] = {}
        self._listener = listener or Listener()
        self._listener.join(self)
        self._pages: dict[tuple[UUID, int], list[Batch]] = {}
        """Full pages of the logs of runs that are watched."""
        self._stopping = False

    @property
    def watchers(self) -> int:
        return sum(len(channel.watchers) for channel in self._channels.values())

    async def subscribe(self, run_id: UUID, watcher: Subscriber) -> None:
        """From here on, every new batch and state of the run comes into its queue.

        What is there already the watcher reads itself, with `state` and `rows`.
        """
        if run_id not in self._channels:
            state, seen = await self._state(run_id)
            self._channels.setdefault(run_id, Channel(seen, state))
        channel = self._channels[run_id]
        channel.watchers.add(watcher)
        channel.count()
        if self._stopping:
            watcher.end(Bye())
        self._listener.wake()

    def leave(self, run_id: UUID, watcher: Subscriber) -> None:
        """Also of one that never came so far as to be there."""
        if channel := self._channels.get(run_id):
            channel.watchers.discard(watcher)
            channel.count()
            if not channel.watchers:
                channel.rest()
                del self._channels[run_id]
                for key in [key for key in tuple(self._pages) if key[0] == run_id]:
                    self._pages.pop(key, None)
        self._listener.rest()

    async def state(self, run_id: UUID) -> State:
        """How the run stands now; rows read afterwards are complete when it is over."""
        state, _ = await self._state(run_id)
        return replace(state, watchers=len(self._channels[run_id].watchers))

    async def rows(self, run_id: UUID, after: int) -> AsyncGenerator[Batch]:
        """All stored batches with a seq > `after`, in order."""
        while True:
            page = after // AT_ONCE
            found = await self._listener.read(self._page, run_id, page)
            for batch in found:
                if batch.seq > after:
                    yield batch
            if len(found) < AT_ONCE:
                return
            after = (page + 1) * AT_ONCE

    def stop(self) -> None:
        """Say goodbye to all watchers, now and later."""
        self._stopping = True
        for channel in self._channels.values():
            for watcher in channel.watchers:
                watcher.end(Bye())

    def _page(self, run_id: UUID, number: int) -> list[Batch]:
        """On the reading thread: a full page never changes, so all who come late share
        it, in memory too."""
        kept = self._pages.get((run_id, number))
        if kept is not None:
            return kept
        rows = batches(run_id, number * AT_ONCE)
        found = [Batch.of(seq, payload) for seq, payload in rows]
        is_full = len(found) == AT_ONCE
        if is_full and run_id in self._channels and len(self._pages) < PAGES:
            self._pages[run_id, number] = found
        return found

    async def _state(self, run_id: UUID) -> tuple[State, int]:
        found = (await self._listener.read(look, {run_id: NOTHING_NEW}))[run_id]
        return found.state, found.last_seq

    async def hear(self, ring: Ring) -> None:
        if isinstance(ring, RoomRing):
            return
        chosen = self._channels if ring is None else {ring} & self._channels.keys()
        seen = {run_id: self._channels[run_id].seen for run_id in chosen}
        found = await self._listener.read(look, seen) if seen else {}
        for run_id, news in found.items():
            if (channel := self._channels.get(run_id)) is None:
                continue
            channel.add([Batch.of(seq, payload) for seq, payload in news.batches])
            if news.batches:
                channel.seen = news.batches[-1][0]
            if channel.seen == news.last_seq:
                channel.say(news.state)


hub = Hub(listener)
