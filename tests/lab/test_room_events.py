"""A room over real web processes: its streams, who loses them, and kill -9 of one."""

import contextlib
import json
import os
import signal
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interview.accounts.seat import COOKIE
from interview.lab.models import Room, RoomSeat, Run, Status
from tests.lab.cast import batch, later, token
from tests.lab.test_events import Web, frames, ids

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "A room", timezone.now())


@pytest.fixture
def run(room, alive):
    """A running run of the room's step, and its claim; its worker lives for minutes."""
    run, claim = alive
    run.renew(claim, timezone.now() + timedelta(minutes=5), 5)
    step = room.begin(timezone.now())
    Run.objects.filter(pk=run.pk).update(step=step)
    return run, claim


@pytest.fixture
def web(shared):
    with web_process() as server:
        yield server


@contextlib.contextmanager
def web_process(**environment):
    server = Web(**environment)
    try:
        yield server
    finally:
        server.stop()


class Guest:
    """A browser with its seat: the cookie goes to whichever process is asked."""

    def __init__(self, room, name="Ada"):
        self.room = room
        self.seat, self.token = RoomSeat.objects.take(room, name, timezone.now())

    def cookie(self):
        return {"Cookie": f"{COOKIE}={self.token}"}

    def watch(self, web, name="events", *arguments, after=None):
        headers = self.cookie() | ({"Last-Event-ID": after} if after else {})
        return web.client.stream("GET", self.at(name, *arguments), headers=headers)

    def get(self, web, name="room"):
        return web.client.get(self.at(name), headers=self.cookie())

    def at(self, name, *arguments):
        return reverse(f"room:{name}", args=[self.room.slug, *arguments])


def write(run, claim, first, last):
    for n in range(first, last + 1):
        run.append(claim, batch(token(str(n), n)))


def states(told):
    for frame in told:
        if frame.get("event") == "room":
            yield json.loads(frame["data"])


def test_a_seat_hears_of_its_room_and_loses_it_within_a_second(web, room, run):
    ada = Guest(room)
    with (
        ada.watch(web) as of_room,
        ada.watch(web, "run_events", run[0].slug) as of_run,
    ):
        assert of_room.headers["Content-Type"] == "text/event-stream"
        assert of_room.headers["X-Accel-Buffering"] == "no"
        told, batches = frames(of_room.iter_lines()), frames(of_run.iter_lines())
        assert next(told) == {"retry": "2000"}
        assert str(ada.seat.pk) in next(states(told))["present"]
        write(*run, 1, 3)
        assert ids(taken(batches, 3)) == [1, 2, 3]
        began = time.monotonic()
        room.remove(ada.seat, timezone.now())
        run[0].append(run[1], batch(token("4", 4)))
        assert [one["event"] for one in told][-1] == "removed"
        rest = list(batches)
        assert time.monotonic() - began < 1.0
    assert rest[-1]["event"] == "removed"
    assert ada.get(web).status_code == 403
    with ada.watch(web) as refused:
        assert refused.status_code == 403
    with ada.watch(web, "run_events", run[0].slug) as refused:
        assert refused.status_code == 403


def taken(told, count):
    """So many batches of a stream."""
    return [next(one for one in told if "id" in one) for _ in range(count)]


def test_strangers_and_runs_of_elsewhere_get_no_stream(web, room, run, make_run):
    ada, elsewhere = Guest(room), make_run()
    assert web.client.get(ada.at("events")).status_code == 403
    with ada.watch(web, "run_events", elsewhere.slug) as answer:
        assert answer.status_code == 404


def test_a_host_who_signs_out_loses_the_stream(room, alice, shared):
    mode = {"PREFILL_MODE": "shared", "ALLOWED_HOSTS": "127.0.0.1"}
    with web_process(**mode, SECRET_KEY=shared.SECRET_KEY) as web:
        sign_out_while_watching(web, room, alice)


def sign_out_while_watching(web, room, alice):
    browser = Client()
    browser.force_login(alice)
    session = f"prefill_session={browser.cookies['prefill_session'].value}"
    path = reverse("room:events", args=[room.slug])
    with web.client.stream("GET", path, headers={"Cookie": session}) as answer:
        told = frames(answer.iter_lines())
        next(states(told))
        browser.logout()
        began = time.monotonic()
        assert [one["event"] for one in told][-1] == "bye"
        assert time.monotonic() - began < 15
    assert web.client.get(path, headers={"Cookie": session}).status_code == 403


def test_the_end_of_a_room_and_its_run_ends_its_stream_not_the_replay(web, room, run):
    ada = Guest(room)
    write(*run, 1, 3)
    with ada.watch(web) as answer:
        told = frames(answer.iter_lines())
        next(states(told))
        room.end(timezone.now())
        assert next(state for state in states(told) if state["is_over"])
        run[0].finish(run[1], Status.CANCELLED, later(9), report=None)
        assert [one["event"] for one in told][-1] == "over"
    with ada.watch(web, "run_events", run[0].slug) as answer:
        assert ids(frames(answer.iter_lines())) == [1, 2, 3]


def test_watchers_cost_no_thread_each(web, room, run):
    ada = Guest(room)
    with contextlib.ExitStack() as stack:
        counts = []
        for _ in range(2):
            for _ in range(15):
                answer = stack.enter_context(ada.watch(web))
                next(states(frames(answer.iter_lines())))
            counts.append(threads(web.process.pid))
    assert counts[1] - counts[0] <= 2


def threads(pid):
    """Of a process, once those that are about to end have ended."""
    time.sleep(0.5)
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def test_kill_9_of_a_web_process_costs_neither_seat_nor_event(room, run, shared):
    """The other process gives back the same seat, the room as it stands, and all that
    the dead one had not sent."""
    ada, seen = Guest(room), []
    with web_process() as doomed, web_process() as other:
        with ada.watch(doomed) as of_room:
            next(states(frames(of_room.iter_lines())))
            with ada.watch(doomed, "run_events", run[0].slug) as of_run:
                write(*run, 1, 5)
                seen += ids(taken(frames(of_run.iter_lines()), 3))
                os.kill(doomed.process.pid, signal.SIGKILL)
        write(*run, 6, 8)
        with ada.watch(other) as of_room:
            state = next(states(frames(of_room.iter_lines())))
        assert str(ada.seat.pk) in state["present"]
        assert "Ada" in ada.get(other).text
        run[0].finish(run[1], Status.COMPLETED, later(9), report=None)
        address = ("run_events", run[0].slug)
        with ada.watch(other, *address, after=str(seen[-1])) as of_run:
            seen += ids(frames(of_run.iter_lines()))
    assert seen == list(range(1, 9))
    assert room.seats.filter(name="Ada").count() == 1
