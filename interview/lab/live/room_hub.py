"""The rooms whose seats have open streams here: tells each how its room stands.

It ends the streams of a seat that was removed, and says that connected seats are there.
"""

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from django.db import DatabaseError
from django.utils import timezone

from ..rooms.presence import BEAT_S
from ..rooms.snapshot import rooms, seats
from .doorbell import LOOK_ANYWAY_S, Ring, RoomRing
from .listener import Listener, listener
from .room_channel import RoomChannel
from .sign_of_life import say_there
from .spawn import spawn
from .subscriber import Bye, Removed, Subscriber

log = logging.getLogger(__name__)

TICK_S = 0.5
"""A clock that ran out, or a seat that went away, is told so soon at the latest."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stream belongs."""

    room: UUID
    seat: UUID


class RoomHub:
    """Used from one event loop; by default with a listener of its own.

    One task reads whatever must be read again, all at once: many rings and many who
    come in a short time cost two queries.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self._channels: dict[UUID, RoomChannel] = {}
        self._listener = listener or Listener()
        self._listener.join(self)
        self._due: set[UUID] = set()
        """Rooms to read again, with their seats."""
        self._all_due = False
        """All rooms are to be read, their seats only if they may have changed."""
        self._kick = asyncio.Event()
        self._attending: asyncio.Task[None] | None = None
        self._said_at = 0.0
        self._stopping = False

    @property
    def watchers(self) -> int:
        """Streams of a run are counted where they get its batches."""
        return sum(len(channel.watchers) for channel in self._channels.values())

    def subscribe(
        self, place: Place, watcher: Subscriber, *, guarded: bool = False
    ) -> None:
        """Its first item tells how the room stands, unless it is only `guarded`.

        A seat that is not known here yet is read at once: it is new, or gone.
        """
        channel = self._channels.setdefault(place.room, RoomChannel())
        (channel.guarded if guarded else channel.watchers)[watcher] = place.seat
        if self._stopping:
            watcher.end(Bye())
        elif place.seat not in channel.seats:
            self._read_soon(place.room)
        elif not guarded and (state := channel.state(timezone.now())):
            watcher.give(state)
        self._listener.wake()
        if self._attending is None:
            self._attending = spawn(self._attend(), "lab rooms")

    def leave(self, place: Place, watcher: Subscriber) -> None:
        if channel := self._channels.get(place.room):
            channel.leave(watcher)
            if not channel.connected:
                del self._channels[place.room]
        if not self._channels and self._attending:
            self._attending.cancel()
            self._attending = None
        self._listener.rest()

    def stop(self) -> None:
        """Say goodbye to all watchers, now and later."""
        self._stopping = True
        for channel in self._channels.values():
            channel.end_all(Bye())

    async def hear(self, ring: Ring) -> None:
        if ring is None:
            self._all_due = True
            self._kick.set()
        elif isinstance(ring, RoomRing) and ring.room in self._channels:
            self._read_soon(ring.room)

    def _read_soon(self, room: UUID) -> None:
        self._due.add(room)
        self._kick.set()

    async def _attend(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    await self._kick.wait()
            self._kick.clear()
            try:
                await self._look()
                await self._say_who_is_there()
                now = timezone.now()
                for channel in self._channels.values():
                    channel.tell(now)
            except DatabaseError as error:
                log.warning("The lab's rooms could not be read yet: %s", error)
                await self._begin_again()
            except Exception:
                log.exception("The lab's rooms could not be told")
                await self._begin_again()

    async def _begin_again(self) -> None:
        self._due.update(self._channels)
        await asyncio.sleep(TICK_S)

    async def _look(self) -> None:
        due, self._due = self._due & self._channels.keys(), set()
        wanted = set(self._channels) if self._all_due else due
        self._all_due = False
        if not wanted:
            return
        asked = {key: self._channels[key].everyone() for key in wanted}
        found = await self._listener.read(rooms, wanted)
        now_s = time.monotonic()
        channels = {k: self._channels[k] for k in wanted if k in self._channels}
        stale = due | {
            key
            for key, row in found.items()
            if key in channels and channels[key].needs_seats(row, now_s, LOOK_ANYWAY_S)
        }
        taken = await self._listener.read(seats, stale) if stale else {}
        for key, channel in channels.items():
            channel.room = found.get(key)
            if channel.room is None:
                channel.end_all(Removed())
            elif key in stale:
                channel.seats, channel.seats_read_at = taken.get(key, {}), now_s
                channel.end_the_gone(asked[key])

    async def _say_who_is_there(self) -> None:
        """In one query for all who are connected here."""
        if time.monotonic() - self._said_at < BEAT_S:
            return
        present = [channel.present for channel in self._channels.values()]
        there = set().union(*present)
        if not there or await self._listener.read(say_there, there, timezone.now()):
            self._said_at = time.monotonic()


room_hub = RoomHub(listener)
