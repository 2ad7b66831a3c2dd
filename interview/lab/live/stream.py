"""A run as server-sent events: replay what is stored, then follow; resume anywhere."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from ..runs.snapshot import State
from .hub import Hub
from .subscriber import Bye, Ending, Gap, Item, Portion, Removed, Subscriber

HEARTBEAT_S = 15.0
OPENING = b"retry: 2000\n: watching\n\n"
HEARTBEAT = b": hb\n\n"
GAP = b"event: gap\ndata: {}\n\n"
BYE = b"event: bye\nretry: 2000\ndata: {}\n\n"
REMOVED = b"event: removed\ndata: {}\n\n"


async def stream(
    hub: Hub, run_id: UUID, after: int, watcher: Subscriber | None = None
) -> AsyncGenerator[bytes]:
    """Frames of one watcher, from the batch behind `after`; ends with the run.

    Each batch is sent once and in order, whatever the watcher's queue lost. Whoever
    brings the `watcher` may end it from elsewhere.
    """
    yield OPENING
    watcher = watcher or Subscriber()
    try:
        await hub.subscribe(run_id, watcher)
        sent: int | None = after
        while sent is not None:
            state = await hub.state(run_id)
            yield state_frame(state)
            async with aclosing(hub.rows(run_id, sent)) as stored:
                async for batch in stored:
                    if watcher.ending:
                        break
                    sent = batch.seq
                    yield batch.frame
            if watcher.ending:
                yield ending_frame(watcher.ending)
                return
            if state.is_over:
                yield done_frame(state)
                return
            follower = Follower(watcher, sent, state)
            async with aclosing(follower.frames()) as frames:
                async for frame in frames:
                    yield frame
            sent = follower.resume_after
    finally:
        hub.leave(run_id, watcher)


class Follower:
    """Passes on what comes into the queue until the table must be read again."""

    def __init__(self, watcher: Subscriber, sent: int, state: State) -> None:
        self.resume_after: int | None = sent
        """Seq of the last batch passed on; None when the watcher must leave."""
        self._watcher = watcher
        self._sent = sent
        self._state = state

    async def frames(self) -> AsyncGenerator[bytes]:
        while True:
            match await next_of(self._watcher):
                case None:
                    yield HEARTBEAT
                case Portion() as first:
                    if found := self._new([first, *self._watcher.portions_at_hand()]):
                        yield found
                case State() as state if state.is_over:
                    return
                case State() as state if state != self._state:
                    self._state = state
                    yield state_frame(state)
                case Gap():
                    yield GAP
                    return
                case Bye() | Removed() as ending:
                    self.resume_after = None
                    yield ending_frame(ending)
                    return

    def _new(self, portions: list[Portion]) -> bytes:
        """Their frames as one piece: a loop that is behind sends less often."""
        found = []
        for portion in portions:
            if portion.seq > self._sent:
                found.append(portion.after(self._sent))
                self._sent = self.resume_after = portion.seq
        return b"".join(found)


async def next_of(watcher: Subscriber) -> Item | None:
    """The next item, or None when it is time for a sign of life."""
    try:
        return await asyncio.wait_for(watcher.next(), HEARTBEAT_S)
    except TimeoutError:
        return None


def state_frame(state: State) -> bytes:
    return f"event: state\ndata: {json.dumps(state.to_json())}\n\n".encode()


def done_frame(state: State) -> bytes:
    return f'event: done\ndata: {{"status": "{state.status}"}}\n\n'.encode()


def ending_frame(ending: Ending) -> bytes:
    return BYE if isinstance(ending, Bye) else REMOVED
