"""Watching a room: everybody hears how it stands, and a right that ended ends it."""

import asyncio
import json
import sqlite3
from contextlib import aclosing
from datetime import timedelta

import psycopg
import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interview.accounts.models import User
from interview.accounts.seat import hashed
from interview.lab.live import doorbell
from interview.lab.live.bell import CHANNEL
from interview.lab.live.guard import Guard
from interview.lab.live.hub import Hub
from interview.lab.live.listener import Listener
from interview.lab.live.room_hub import Place, RoomHub
from interview.lab.live.room_stream import room_stream
from interview.lab.live.sign_in import SignIn
from interview.lab.live.subscriber import Bye, Removed, Subscriber
from interview.lab.models import Room, RoomSeat
from tests.lab.test_stream import (
    end_listeners,
    fields,
    in_thread,
    listeners,
    stream,
    until,
    until_in_thread,
)
from tests.lab.test_stream import watch as watch_run

pytestmark = pytest.mark.django_db(transaction=True)


class Watch:
    """One seat's open stream of its room, in the background."""

    def __init__(self, hub, room, seat):
        self.states, self.names = [], []
        self.place = Place(room.pk, seat.pk)
        self.task = asyncio.create_task(self.follow(hub))

    async def follow(self, hub):
        watcher = Subscriber()
        hub.subscribe(self.place, watcher)
        try:
            async with aclosing(room_stream(watcher)) as frames:
                async for frame in frames:
                    self.take(dict(fields(frame)))
        finally:
            hub.leave(self.place, watcher)

    def take(self, told):
        if "event" in told:
            self.names.append(told["event"])
        if told.get("event") == "room":
            self.states.append(json.loads(told["data"]))
            assert told["id"] == str(self.states[-1]["revision"])

    @property
    def last(self):
        return self.states[-1] if self.states else {}

    async def ended(self, seconds=20):
        async with asyncio.timeout(seconds):
            await self.task
        return self.names[-1]


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "A room", timezone.now())


def join(room, name="Ada"):
    return RoomSeat.objects.take(room, name, timezone.now())[0]


def host_of(room):
    return room.seats.get(is_host=True)


@pytest.fixture
async def hub():
    """Nothing of it is left when all have gone."""
    made = RoomHub()
    yield made
    assert made.watchers == 0
    await until_in_thread(lambda: listeners() == 0)


async def test_how_the_room_stands_comes_at_once_and_at_each_change(hub, room):
    ada = await in_thread(join, room)
    watch = Watch(hub, room, ada)
    await until(lambda: watch.states)
    host = await in_thread(host_of, room)
    await in_thread(room.refresh_from_db)
    assert watch.last == {
        "revision": room.revision,
        "stage": room.stage,
        "present": [str(host.pk), str(ada.pk)],
        "host_away_s": None,
        "frozen_s": None,
        "is_over": False,
    }
    await in_thread(room.begin, timezone.now())
    await until(lambda: watch.last["stage"] == room.stage)
    assert watch.last["revision"] == room.revision
    await in_thread(room.end, timezone.now())
    assert await watch.ended() == "over"
    assert watch.last["is_over"]


async def test_whoever_comes_later_hears_it_at_once(hub, room):
    watch = Watch(hub, room, await in_thread(host_of, room))
    await until(lambda: watch.states)
    again = Watch(hub, room, await in_thread(host_of, room))
    late = Watch(hub, room, await in_thread(join, room, "Late"))
    await until(lambda: late.states and again.states)
    await in_thread(room.end, timezone.now())
    assert [await one.ended() for one in (watch, again, late)] == ["over"] * 3


async def test_a_room_that_is_over_says_so_and_nothing_more(hub, room):
    ada = await in_thread(join, room)
    await in_thread(room.end, timezone.now())
    watch = Watch(hub, room, ada)
    assert await watch.ended() == "over"
    assert watch.names == ["room", "over"]
    assert watch.last["present"] == []


async def test_a_removed_seat_is_told_within_a_second_and_gets_nothing_more(hub, room):
    ada, bob = await in_thread(join, room), await in_thread(join, room, "Bob")
    removed, stays = Watch(hub, room, ada), Watch(hub, room, bob)
    await until(lambda: removed.states and stays.states)
    await in_thread(room.remove, ada, timezone.now())
    assert await removed.ended(seconds=1) == "removed"
    await in_thread(room.begin, timezone.now())
    await until(lambda: stays.last["stage"] == room.stage)
    assert str(ada.pk) not in stays.last["present"]
    assert removed.last["stage"] < room.stage
    await in_thread(room.end, timezone.now())
    await stays.ended()


async def test_a_seat_removed_before_its_stream_began_gets_no_state(hub, room):
    ada = await in_thread(join, room)
    await in_thread(room.remove, ada, timezone.now())
    watch = Watch(hub, room, ada)
    assert await watch.ended() == "removed"
    assert watch.states == []


async def test_a_new_seat_is_never_taken_for_a_removed_one(hub, room):
    """Its stream may begin while the room's seats are being read."""
    stays = Watch(hub, room, await in_thread(host_of, room))
    await until(lambda: stays.states)
    for n in range(20):
        seat = await in_thread(join, room, f"Seat {n}")
        ring = asyncio.create_task(in_thread(room.changed))
        watch = Watch(hub, room, seat)
        await until(lambda watch=watch: watch.names)
        assert watch.names[0] == "room"
        await ring
        watch.task.cancel()
    await in_thread(room.end, timezone.now())
    await stays.ended()


async def test_a_seat_of_somebody_deactivated_is_ended_as_a_removed_one(hub, room, bob):
    seat, _ = await in_thread(
        RoomSeat.objects.take, room, "Bob", timezone.now(), user=bob
    )
    watch = Watch(hub, room, seat)
    await until(lambda: watch.states)
    await in_thread(User.objects.filter(pk=bob.pk).update, is_active=False)
    assert await watch.ended(seconds=15) == "removed"


async def test_a_removed_seat_loses_its_stream_of_a_run_too(room, alive):
    run, claim = alive
    ada = await in_thread(join, room)
    listener = Listener()
    hub, rooms = Hub(listener), RoomHub(listener)
    place, watcher, told = Place(room.pk, ada.pk), Subscriber(), []

    async def follow():
        rooms.subscribe(place, watcher, guarded=True)
        async with aclosing(stream(hub, run.pk, 0, watcher)) as frames:
            async for frame in frames:
                told.append(dict(fields(frame)))
        rooms.leave(place, watcher)

    watching = asyncio.create_task(follow())
    await in_thread(run.append, claim, "[1]")
    await until(lambda: any("id" in one for one in told))
    assert listener.watchers == 1
    await in_thread(room.remove, ada, timezone.now())
    async with asyncio.timeout(1):
        await watching
    await in_thread(run.append, claim, "[2]")
    assert told[-1]["event"] == "removed"
    assert [one["data"] for one in told if "id" in one] == ["[1]"]
    assert listener.watchers == 0


async def test_a_removed_seat_loses_also_what_waited_in_its_queue(room):
    watcher = Subscriber()
    for number in range(10):
        watcher.give(number)
    watcher.end(Removed())
    watcher.give(11)
    assert await watcher.next() == Removed()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(watcher.next(), 0.01)


async def test_a_stopping_server_says_goodbye(hub, room):
    ada = await in_thread(join, room)
    watch = Watch(hub, room, ada)
    await until(lambda: watch.states)
    hub.stop()
    assert await watch.ended() == "bye"
    assert await Watch(hub, room, ada).ended() == "bye"


async def test_quiet_minutes_end_by_the_clock_and_the_stream_says_so(hub, room):
    watch = Watch(hub, room, await in_thread(host_of, room))
    await in_thread(room.freeze, timezone.now() + timedelta(seconds=1.2))
    await until(lambda: watch.last.get("frozen_s"))
    assert watch.last["frozen_s"] in {1, 2}
    revision = watch.last["revision"]
    await until(lambda: watch.last["frozen_s"] is None, seconds=4)
    assert watch.last["revision"] == revision
    await in_thread(room.end, timezone.now())
    await watch.ended()


async def test_a_host_who_is_gone_for_15_s_is_away_until_he_comes_back(hub, room):
    ada = await in_thread(join, room)
    gone = timezone.now() - timedelta(seconds=20)
    host = await in_thread(host_of, room)
    await in_thread(room.seats.filter(is_host=True).update, seen_at=gone)
    watch = Watch(hub, room, ada)
    await until(lambda: watch.states)
    assert 20 <= watch.last["host_away_s"] <= 22
    assert watch.last["present"] == [str(ada.pk)]
    back = Watch(hub, room, host)
    await until(lambda: watch.last["host_away_s"] is None, seconds=4)
    assert str(host.pk) in watch.last["present"]
    await in_thread(room.end, timezone.now())
    await back.ended()
    await watch.ended()


async def test_connected_seats_are_seen_and_others_are_not(hub, room):
    ada, bob = await in_thread(join, room), await in_thread(join, room, "Bob")
    gone = timezone.now() - timedelta(minutes=1)
    await in_thread(room.seats.update, seen_at=gone)
    watch = Watch(hub, room, ada)

    def seen():
        return dict(room.seats.values_list("pk", "seen_at"))

    await until_in_thread(lambda: seen()[ada.pk] > gone)
    assert (await in_thread(seen))[bob.pk] == gone
    await in_thread(room.end, timezone.now())
    await watch.ended()


async def test_presence_is_one_query_for_all_seats(room):
    def write():
        seats = [join(room, f"Seat {n}").pk for n in range(20)]
        later = timezone.now() + timedelta(seconds=9)
        with CaptureQueriesContext(connection) as asked:
            RoomSeat.objects.seen(seats, later)
        seen = room.seats.filter(pk__in=seats, seen_at=later).count()
        said = [query["sql"] for query in asked.captured_queries]
        return seen, [sql for sql in said if "lab_roomseat" in sql]

    seen, asked = await in_thread(write)
    assert (seen, len(asked)) == (20, 1)
    if connection.vendor == "postgresql":
        assert "SKIP LOCKED" in asked[0]


async def test_two_hubs_with_one_listener_hold_one_connection(room, alive):
    run, _ = alive
    listener = Listener()
    hub, rooms = Hub(listener), RoomHub(listener)
    seats = [await in_thread(join, room, f"Seat {n}") for n in range(20)]
    watches = [Watch(rooms, room, seat) for seat in seats]
    running = [asyncio.create_task(watch_run(hub, run)) for _ in range(20)]
    await until(lambda: listener.watchers == 40 and all(w.states for w in watches))
    if connection.vendor == "postgresql":
        assert await in_thread(listeners) == 1
    for task in (*running, *(watch.task for watch in watches)):
        task.cancel()
    await asyncio.gather(*running, *(w.task for w in watches), return_exceptions=True)
    assert listener.watchers == 0
    await until_in_thread(lambda: listeners() == 0)


async def test_a_lost_doorbell_costs_no_change(hub, room):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's doorbell is a file that is read")
    watch = Watch(hub, room, await in_thread(host_of, room))
    await until(lambda: watch.states)
    await until_in_thread(lambda: end_listeners() == 1)
    await in_thread(room.begin, timezone.now())
    await until(lambda: watch.last["stage"] == room.stage)
    await in_thread(room.end, timezone.now())
    await watch.ended()


@pytest.mark.parametrize("said", ["hello", "[]", "{}", '{"run": 1, "seq": 2}', "7"])
async def test_a_strange_note_at_the_doorbell_costs_no_change(hub, room, said):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's doorbell is a file that is read")
    watch = Watch(hub, room, await in_thread(host_of, room))
    await until(lambda: watch.states)
    await in_thread(notify, said)
    await in_thread(room.begin, timezone.now())
    await until(lambda: watch.last["stage"] == room.stage)
    await in_thread(room.end, timezone.now())
    await watch.ended()


def notify(said):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, said])


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.OperationalError("disk I/O error"),
        psycopg.InterfaceError("the connection is closed"),
        DatabaseError("no answer"),
        ValueError("no JSON"),
    ],
    ids=repr,
)
async def test_a_doorbell_that_broke_is_hung_up_again(hub, room, monkeypatch, error):
    hung_up = []

    async def rings():
        hung_up.append(True)
        if len(hung_up) == 1:
            raise error
        async with aclosing(doorbell.rings()) as heard:
            async for ring in heard:
                yield ring

    monkeypatch.setattr("interview.lab.live.listener.rings", rings)
    watch = Watch(hub, room, await in_thread(host_of, room))
    await until(lambda: watch.states and len(hung_up) == 2)
    await in_thread(room.begin, timezone.now())
    await until(lambda: watch.last["stage"] == room.stage)
    await in_thread(room.end, timezone.now())
    await watch.ended()


async def test_another_writer_keeps_nobody_waiting_who_watches(hub, room):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's writers do not wait for each other here")
    seat = await in_thread(host_of, room)
    long_ago = timezone.now() - timedelta(hours=1)
    await in_thread(RoomSeat.objects.filter(pk=seat.pk).update, seen_at=long_ago)
    path = connection.settings_dict["NAME"]
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        watch = Watch(hub, room, seat)
        await until(lambda: watch.states, seconds=5)
    finally:
        other.close()
    await until_in_thread(lambda: host_of(room).seen_at > long_ago)
    await in_thread(room.end, timezone.now())
    await watch.ended()


async def test_a_stream_ends_with_the_sign_in_that_it_hangs_on(client, alice, shared):
    await in_thread(client.force_login, alice)
    key = hashed(client.cookies["prefill_session"].value)
    listener, watcher, guest = Listener(), Subscriber(), Subscriber()
    guard = Guard(listener)
    guard.hold(watcher, SignIn(key, alice.pk))
    guard.hold(guest, None)
    await guard.hear(None)
    assert watcher.ending is None
    await in_thread(client.logout)
    guard._checked_at = 0.0
    await guard.hear(None)
    assert watcher.ending == Bye()
    assert guest.ending is None
    listener.rest()
