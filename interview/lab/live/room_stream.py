"""A room as server-sent events: how it stands, now and at each change, to its end."""

import json
from collections.abc import AsyncGenerator

from ..rooms.snapshot import RoomState
from .stream import HEARTBEAT, OPENING, ending_frame, next_of
from .subscriber import Bye, Removed, Subscriber

OVER = b"event: over\ndata: {}\n\n"


async def room_stream(watcher: Subscriber) -> AsyncGenerator[bytes]:
    """Frames of one seat. A snapshot needs no replay: `id` is the revision it tells."""
    yield OPENING
    while True:
        match await next_of(watcher):
            case None:
                yield HEARTBEAT
            case RoomState() as state:
                yield room_frame(state)
                if state.is_settled:
                    yield OVER
                    return
            case Bye() | Removed() as ending:
                yield ending_frame(ending)
                return


def room_frame(state: RoomState) -> bytes:
    told = json.dumps(state.to_json())
    return f"event: room\nid: {state.revision}\ndata: {told}\n\n".encode()
