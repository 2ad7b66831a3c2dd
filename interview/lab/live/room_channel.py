"""All streams of one room in this process, and what they were told last."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from ..rooms.snapshot import RoomRow, RoomState, SeatRow, state_of
from .subscriber import Ending, Removed, Subscriber


@dataclass(slots=True)
class RoomChannel:
    room: RoomRow | None = None
    """None until it was read for the first time."""
    seats: dict[UUID, SeatRow] = field(default_factory=dict)
    seats_read_at: float = 0.0
    """On the monotonic clock."""
    told: RoomState | None = None
    watchers: dict[Subscriber, UUID] = field(default_factory=dict)
    """Those that hear how the room stands, with their seats."""
    guarded: dict[Subscriber, UUID] = field(default_factory=dict)
    """Those that must only end with their seat: streams of a run."""

    @property
    def connected(self) -> set[UUID]:
        """Seats with an open stream."""
        return {*self.watchers.values(), *self.guarded.values()}

    @property
    def present(self) -> set[UUID]:
        """Seats to be written down as seen; none in a room that is over."""
        if self.room is None or self.room.ended_at:
            return set()
        return self.connected & self.seats.keys()

    def everyone(self) -> tuple[Subscriber, ...]:
        return (*self.watchers, *self.guarded)

    def leave(self, watcher: Subscriber) -> None:
        self.watchers.pop(watcher, None)
        self.guarded.pop(watcher, None)

    def end_all(self, ending: Ending) -> None:
        for watcher in self.everyone():
            watcher.end(ending)

    def end_the_gone(self, asked: Collection[Subscriber]) -> None:
        """Of those who were here when the seats were read; a later one may be new."""
        for watcher, seat in (*self.watchers.items(), *self.guarded.items()):
            if seat not in self.seats and watcher in asked:
                watcher.end(Removed())

    def needs_seats(self, row: RoomRow, now_s: float, kept_s: float) -> bool:
        """They change with the revision; signs of life come without."""
        return (
            self.room is None
            or self.room.revision != row.revision
            or now_s - self.seats_read_at >= kept_s
        )

    def state(self, now: datetime) -> RoomState | None:
        if self.room is None:
            return None
        return state_of(self.room, self.seats, self.connected, now)

    def tell(self, now: datetime) -> None:
        """Everybody, when there is something new."""
        state = self.state(now)
        if state is not None and state != self.told:
            self.told = state
            for watcher in self.watchers:
                watcher.give(state)
