"""A run as server-sent events: replay what is stored, then follow; resume anywhere."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from .hub import Batch, Bye, Gap, Hub, Subscriber
from .snapshot import State

HEARTBEAT_S = 15.0
OPENING = b"retry: 2000\n: watching\n\n"
HEARTBEAT = b": hb\n\n"
GAP = b"event: gap\ndata: {}\n\n"
BYE = b"event: bye\nretry: 2000\ndata: {}\n\n"


async def stream(hub: Hub, run_id: UUID, after: int) -> AsyncGenerator[bytes]:
    """Frames of one watcher, from the batch behind `after`; ends with the run.

    Each batch is sent once and in order, whatever the watcher's queue lost.
    """
    yield OPENING
    watcher = await hub.subscribe(run_id)
    try:
        sent: int | None = after
        while sent is not None:
            state = await hub.state(run_id)
            yield state_frame(state)
            async with aclosing(hub.rows(run_id, sent)) as stored:
                async for batch in stored:
                    sent = batch.seq
                    yield batch_frame(batch)
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
            try:
                item = await asyncio.wait_for(self._watcher.next(), HEARTBEAT_S)
            except TimeoutError:
                yield HEARTBEAT
                continue
            match item:
                case Batch(seq=seq) if seq > self._sent:
                    self._sent = self.resume_after = seq
                    yield batch_frame(item)
                case State() if item.is_over:
                    return
                case State() if item != self._state:
                    self._state = item
                    yield state_frame(item)
                case Gap():
                    yield GAP
                    return
                case Bye():
                    self.resume_after = None
                    yield BYE
                    return


def batch_frame(batch: Batch) -> bytes:
    return f"id: {batch.seq}\ndata: {batch.payload}\n\n".encode()


def state_frame(state: State) -> bytes:
    return f"event: state\ndata: {json.dumps(state.to_json())}\n\n".encode()


def done_frame(state: State) -> bytes:
    return f'event: done\ndata: {{"status": "{state.status}"}}\n\n'.encode()
