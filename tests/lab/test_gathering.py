"""A run that the people of a room make together: presses, worker, outcome, page."""

import os
import re
import signal
import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.urls import reverse
from django.utils import timezone

from interview.lab import content
from interview.lab.errors import LabError, OverCap
from interview.lab.files.load_csv import rows
from interview.lab.form.experiment_spec import experiment_spec
from interview.lab.form.forms import RunForm
from interview.lab.measuring.child import Child
from interview.lab.measuring.worker import order
from interview.lab.models import Kind, Press, Room, RoomSeat, Run, Status
from interview.lab.results.load_result import LoadResult
from interview.lab.results.unmeasured import (
    FAILED,
    NEVER_JOINED,
    NO_GAP,
    NO_TOKEN,
    UNKNOWN,
)
from interview.lab.results.unmeasured import TOO_SHORT as TOO_SHORT_A_TIME
from interview.lab.rooms.batch import Stream, batch
from interview.lab.rooms.batch import rows as rows_of
from interview.lab.runs.gathering import (
    NEEDS_ROOM,
    NOBODY,
    TOO_SHORT,
    GatheringProgress,
    gathering_outcome,
)
from interview.lab.runs.outcome import Ending
from tests.lab.cast import NOW, later, token
from tests.lab.scripted import refuse, streams
from tests.lab.stage import Lab, ended, process, until, working

ROOM = "room-is-the-batch"


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "Monday", NOW)


@pytest.fixture
def host(room):
    return room.seats.get()


@pytest.fixture
def guest(room):
    return RoomSeat.objects.take(room, "Gil", NOW)[0]


def spec_of(most=4, **changes):
    spec = experiment_spec(content.experiment(ROOM), None)
    fields = spec.to_json() | {"levels": list(range(1, most + 1))} | changes
    return type(spec).from_json(fields)


def queued(room, now=NOW, **spec):
    step = room.step or room.begin(now, experiment=ROOM)
    run = Run.objects.queue(room.host, spec_of(**spec), now)
    run.step = step
    run.save(update_fields=["step"])
    return run


@pytest.fixture
def running(room, worker):
    run = queued(room)
    claim = run.claim(worker, NOW)
    run.open_to_streams(claim, NOW)
    run.refresh_from_db()
    run.held = claim
    return run


def test_an_experiments_spec_has_all_numbers_of_streams(settings):
    spec = experiment_spec(content.experiment(ROOM), None)
    assert (spec.gathers, spec.levels, spec.is_load) == (True, [*range(1, 17)], True)
    settings.LAB_MAX_USERS = 6
    assert experiment_spec(content.experiment(ROOM), None).levels == [*range(1, 7)]


@pytest.mark.django_db
def test_the_caps_are_those_of_any_run(shared, settings):
    settings.LAB_MAX_TOKENS = 100
    with pytest.raises(OverCap, match="100 tokens"):
        Run.objects.allowed(spec_of())
    settings.LAB_MAX_TOKENS, settings.LAB_MAX_USERS = 512, 1
    with pytest.raises(OverCap, match="1 user at once"):
        Run.objects.allowed(experiment_spec(content.experiment(ROOM), None))


@pytest.mark.django_db
def test_it_may_take_as_long_as_one_measurement_and_never_more_than_ten_minutes(
    shared, settings
):
    settings.LAB_MAX_SECONDS = 120
    expected = Run.objects.allowed(spec_of())
    assert expected.seconds == 120
    assert expected.sentence == "2 min at most; whoever drives ends it sooner"
    settings.LAB_MAX_SECONDS = settings.LAB_MAX_RUN_SECONDS = 9_000
    assert Run.objects.allowed(spec_of()).seconds == 600


@pytest.mark.django_db
def test_the_child_is_told_how_many_may_join_and_for_how_long(shared, settings):
    from interview.lab.endpoint import Endpoint

    settings.LAB_MAX_SECONDS = 90
    told = order(spec_of(), Endpoint.current())
    assert (told["gathers"], told["max_users"], told["max_seconds"]) == (True, 4, 90)
    assert not {"levels", "users", "requests", "repeat", "loads"} & set(told)


@pytest.mark.django_db
def test_nobody_starts_it_outside_of_a_room(at_alice, alice, room):
    answer = at_alice.post(reverse("lab:runs"), {"experiment": ROOM})
    assert answer.status_code == 422
    assert NEEDS_ROOM in answer.content.decode()
    assert not Run.objects.exists()
    posted = at_alice.post(
        reverse("lab:runs"), {"experiment": ROOM}, content_type="application/json"
    )
    assert posted.status_code == 422
    with pytest.raises(LabError, match="open a room"):
        queued(room).again(alice, NOW)


@pytest.mark.django_db
def test_its_page_offers_a_room_and_its_form_leads_there(at_alice):
    page = at_alice.get(reverse("lab:experiment", args=[ROOM]))
    said = page.content.decode()
    assert "It needs a room" in said
    assert "Open a room for it" in said
    assert "Predict and run" not in said
    form = at_alice.get(reverse("lab:lab"), {"experiment": ROOM})
    assert form["Location"] == reverse("lab:experiment", args=[ROOM])
    opened = at_alice.post(reverse("room:rooms"), {"experiment": ROOM})
    assert opened.status_code == 303
    assert "Add my stream" not in at_alice.get(opened["Location"]).content.decode()


def test_its_form_asks_for_the_most_streams():
    form = RunForm(experiment=content.experiment(ROOM))
    titles = [question.title for question in form.questions]
    assert titles[:2] == ["TPOT with 1 user", "TPOT with the most streams"]


@pytest.mark.django_db
def test_its_kind_tells_it_from_loads(running):
    assert running.kind == Kind.GATHERING
    assert Run.objects.expect(spec_of()).runs == 0


@pytest.mark.django_db
def test_a_press_is_one_stream_of_its_seat(running, room, host, guest):
    revision = room.revision
    for seat in (host, guest, guest):
        Press.objects.add(seat, NOW)
    made = [(press.number, press.seat) for press in running.presses.all()]
    assert made == [(1, host), (2, guest), (3, guest)]
    room.refresh_from_db()
    assert room.revision > revision


@pytest.mark.django_db
def test_no_press_before_it_runs_and_none_after(room, guest, worker):
    run = queued(room)
    with pytest.raises(LabError, match="when it runs"):
        Press.objects.add(guest, NOW)
    claim = run.claim(worker, NOW)
    with pytest.raises(LabError, match="It warms up"):
        Press.objects.add(guest, NOW)
    room.refresh_from_db()
    revision = room.revision
    run.refresh_from_db()
    run.open_to_streams(claim, NOW)
    room.refresh_from_db()
    assert room.revision > revision
    Press.objects.add(guest, NOW)
    run.refresh_from_db()
    run.ask_stop(NOW)
    with pytest.raises(LabError, match="It is over"):
        Press.objects.add(guest, NOW)
    run.finish(claim, Status.COMPLETED, NOW, report=None)
    with pytest.raises(LabError, match="under way"):
        Press.objects.add(guest, NOW)


@pytest.mark.django_db
def test_no_press_while_the_room_is_quiet_or_full(running, room, guest):
    room.freeze(later(60))
    with pytest.raises(LabError, match="quiet"):
        Press.objects.add(guest, NOW)
    room.freeze(None)
    for _ in range(4):
        Press.objects.add(guest, NOW)
    with pytest.raises(LabError, match="All 4 streams"):
        Press.objects.add(guest, NOW)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda room: room.end(NOW), "ended"),
        (lambda room: room.freeze(later(60)), "quiet"),
    ],
)
@pytest.mark.django_db
def test_a_press_counts_as_the_room_is_when_it_is_counted(
    running, room, guest, monkeypatch, change, said
):
    """Somebody changes the room while the press looks for its run."""

    def meanwhile(found):
        change(Room.objects.get(pk=room.pk))
        return running

    monkeypatch.setattr("interview.lab.models.press.gathering_of", meanwhile)
    with pytest.raises(LabError, match=said):
        Press.objects.add(guest, NOW)
    assert not running.presses.exists()


@pytest.mark.django_db
def test_a_press_needs_a_run_of_its_own_room(running, bob):
    other = Room.objects.open(bob, "Other", NOW)
    with pytest.raises(LabError, match="under way in this room"):
        Press.objects.add(other.seats.get(), NOW)


@pytest.mark.django_db(transaction=True)
def test_presses_at_the_same_moment_get_numbers_of_their_own(running, room, guest):
    def press():
        try:
            for _ in range(20):
                try:
                    return Press.objects.add(guest, NOW)
                except LabError:
                    return None
                except Exception:  # SQLite: locked for a moment
                    time.sleep(0.05)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=press) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [press.number for press in running.presses.all()] == [1, 2, 3, 4]
    assert connection.vendor


@pytest.mark.django_db
def test_the_page_says_whose_streams_there_are_and_why_no_more(running, host, guest):
    Press.objects.add(host, NOW)
    Press.objects.add(guest, NOW)
    shown = batch(running, guest, NOW)
    assert [(s.number, s.name, s.is_mine) for s in shown.streams] == [
        (1, "alice", False),
        (2, "Gil", True),
    ]
    assert (shown.refusal, shown.most, shown.rows) == ("", 4, ())
    guest.room.freeze(later(60))
    assert "quiet" in batch(running, guest, NOW).refusal


def report(*levels, ended="stopped", requests=1, missing=(), joins=(), **request):
    one = {"status": "cancelled", "error": None} | request
    return {
        "levels": [level_of(*level) for level in levels],
        "requests": [one] * requests,
        "gathering": {"ended": ended, "missing": list(missing), "joins": list(joins)},
    }


def level_of(users, tpot_ms, rate):
    summary = {
        "tpot_ms": {"p50": tpot_ms, "n": users},
        "itl_ms": {"p50": tpot_ms, "p99": tpot_ms, "max": tpot_ms, "n": 100},
        "output_tokens_per_s": rate,
        "joined_ttft_ms": 200.0,
        "stood_ms": 5_000.0,
        "completed": 0,
        "notes": [],
        "bands": {},
    }
    load = {"users": users, "requests": None, "reached_users": users, "repeat": 1}
    return {
        "name": None,
        "users": users,
        "joined": True,
        "load": load,
        "summary": summary,
        "repetitions": [{"summary": summary, "requests": [], "load": load}],
    }


@pytest.mark.django_db
def test_the_table_has_a_row_for_each_stream_that_joined(running, host, guest):
    for seat in (host, guest, guest):
        Press.objects.add(seat, NOW)
    told = report(
        (1, 30.0, 33.3), (3, 50.0, 60.0), missing=[{"users": 2, "stood_ms": 400.0}]
    )
    running.finish(running.held, Status.COMPLETED, NOW, report=told)
    rows = batch(running, host, NOW).rows
    assert [(row.users, row.name, row.tpot_ms) for row in rows] == [
        (1, "alice", 30.0),
        (2, "Gil", None),
        (3, "Gil", 50.0),
    ]
    assert (rows[2].each_tokens_per_s, rows[2].stood_s) == (20.0, 5.0)
    load = LoadResult.of(running.report, running.asked)
    assert load.missing == ()
    assert load.sentences() == (
        "3 users got 1.8 times the output of one; each waited 1.7 times as long per "
        "token.",
        "Not measured: 2 users, for too short a time.",
    )
    assert set(running.figures) == {"1", "3"}
    assert running.figures["3"]["values"]["tpot_ms"] == [50.0, None, None]


@pytest.mark.parametrize(
    ("ttft_ms", "stood_ms", "status", "said"),
    [
        (90.0, 400.0, "cancelled", TOO_SHORT_A_TIME),
        (90.0, 1_400.0, "cancelled", NO_GAP),
        (90.0, 0.0, "failed", NO_TOKEN),
        (None, 0.0, "cancelled", NO_TOKEN),
        (None, 0.0, "failed", FAILED),
    ],
)
def test_a_row_without_numbers_says_why(ttft_ms, stood_ms, status, said):
    told = report(
        joins=[{"users": 1, "ttft_ms": ttft_ms}],
        missing=[{"users": 1, "stood_ms": stood_ms}],
        status=status,
        user=0,
    )
    streams = (Stream(1, "Ada", False), Stream(2, "Ben", False))
    assert [row.why_not for row in rows_of(told, streams)] == [said, NEVER_JOINED]
    killed = {"levels": [level_of(1, 30.0, 33.3)]}
    assert [row.why_not for row in rows_of(killed, streams)] == ["", UNKNOWN]


@pytest.mark.parametrize(
    ("ending", "told", "status", "said"),
    [
        (Ending.STOP, report((1, 30.0, 33.0)), Status.COMPLETED, ""),
        (Ending.ITSELF, report((1, 30.0, 33.0)), Status.COMPLETED, ""),
        (Ending.STOP, report(requests=0), Status.CANCELLED, NOBODY),
        (Ending.ITSELF, report(requests=0, ended="nobody"), Status.CANCELLED, NOBODY),
        (Ending.STOP, report(), Status.INCOMPLETE, TOO_SHORT),
        (
            Ending.STOP,
            report(status="failed", error="HTTP 500: no"),
            Status.FAILED,
            "HTTP 500: no",
        ),
        (Ending.WORKER, report((1, 30.0, 33.0)), Status.INTERRUPTED, "worker"),
        (Ending.STOP_BY_OTHER, report((1, 30.0, 33.0)), Status.CANCELLED, "interview"),
        (Ending.CAP, report((1, 30.0, 33.0)), Status.INCOMPLETE, "time limit"),
        (Ending.ITSELF, None, Status.INTERRUPTED, "signal 9"),
    ],
)
def test_how_it_ended(ending, told, status, said):
    outcome = gathering_outcome(ending, told, "", -9)
    assert outcome.status == status
    assert said in outcome.error
    assert bool(said) == bool(outcome.error)


def test_it_has_as_long_left_as_it_may_take_until_all_have_joined():
    progress = GatheringProgress(300.0, 2)
    assert progress.left_s(30.0) == 270.0
    started = {"k": "level", "state": "started", "joined": True}
    progress.take(started | {"users": 1, "t_us": 40_000_000})
    assert progress.left_s(45.0) == 255.0
    progress.take(started | {"users": 2, "t_us": 50_000_000})
    assert progress.left_s(55.0) == 15.0


@pytest.mark.django_db
def test_the_press_of_a_seat_comes_by_its_form(client, running, room):
    guest, token = RoomSeat.objects.take(room, "Gil", NOW)
    path = reverse("room:press", args=[room.slug])
    assert client.post(path).status_code == 403
    client.cookies["prefill_seat"] = token
    assert client.get(path).status_code == 405
    answer = client.post(path)
    assert (answer.status_code, answer["Location"]) == (
        303,
        reverse("room:room", args=[room.slug]),
    )
    (press,) = running.presses.all()
    assert press.seat == guest
    room.remove(guest, NOW)
    assert client.post(path).status_code == 403
    assert running.presses.count() == 1


def test_a_stream_goes_on_in_the_csv_from_one_level_to_the_next():
    def joined(users, t_us):
        told = {"users": users, "repetition": 0, "joined": True, "name": None}
        return {"k": "level", "state": "started", "t_us": t_us, **told}

    def ticks(t_us, *found, starts=()):
        told = {"ticks": list(found), "starts": list(starts), "ends": []}
        return {"k": "ticks", "t_us": t_us, **told}

    found = rows(
        [
            joined(1, 0),
            ticks(100_000, (0, 1, -60_000), (0, 1, -20_000), starts=[(0, 0, -90_000)]),
            token("a", 40_000),
            joined(2, 110_000),
            ticks(200_000, (0, 1, -50_000), (1, 1, -50_000), starts=[(1, 1, -80_000)]),
        ]
    )
    of = [
        (users, stream, user, event, gap)
        for _, users, _, stream, user, _, event, _, gap, _ in found
    ]
    assert of == [
        (1, 0, 0, 1, ""),
        (1, 0, 0, 2, 40.0),
        (2, 0, 0, 3, 70.0),
        (2, 1, 1, 1, ""),
    ]


@pytest.mark.django_db
def test_what_can_be_taken_away_of_it(at_alice, running, guest):
    Press.objects.add(guest, NOW)
    running.finish(running.held, Status.COMPLETED, NOW, report=report((1, 30.0, 33.3)))
    page = at_alice.get(reverse("lab:run", args=[running.slug])).content.decode()
    assert reverse("lab:run_json", args=[running.slug]) in page
    assert "vLLM’s benchmark writes" not in page
    where = reverse("lab:run_bench", args=[running.slug])
    assert at_alice.get(where, {"level": "1"}).status_code == 404
    both = {"a": running.slug, "b": running.slug}
    assert at_alice.get(reverse("lab:compare"), both, follow=True).status_code == 200


# With a worker and its child, against a scripted server.


@pytest.fixture
def lab(alice, settings):
    return lambda script: Lab(alice, settings, script)


@pytest.fixture
def children(monkeypatch):
    started = []

    class Watched(Child):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            started.append(self)

    monkeypatch.setattr("interview.lab.measuring.worker.Child", Watched)
    return started


TEXTS = ["a "] * 600


def answers():
    return streams(*TEXTS, pause_s=0.02)


def measuring(run):
    """The run, once streams may join."""

    return until(run, lambda now: "measuring" in phases(now), 60)


def warms_up(now):
    return "warming-up" in phases(now)


def phases(run):
    return [e["phase"] for e in run.events() if e["k"] == "phase"]


def told_levels(run):
    return [(e["state"], e["users"]) for e in run.events() if e["k"] == "level"]


def joined(run, users):
    return until(run, lambda now: ("started", users) in told_levels(now), 30)


def press_apart(run, seat, times, pause_s=1.6):
    """So many presses, each when the one before has stood for a while."""
    for users in range(1, times + 1):
        Press.objects.add(seat, timezone.now())
        joined(run, users)
        time.sleep(pause_s)


SHORT = {"prompt_tokens": None, "prompt": "Why?", "max_tokens": 20}
"""The scripted server cannot count tokens, and its warm-up is to be short."""


def worker_room(alice):
    room = Room.objects.open(alice, "", timezone.now())
    return room, room.seats.get()


class WarmThenLong:
    def __init__(self, then=None, warm=None):
        self.is_warm, self.then = False, then or answers()
        self.warm = warm or streams("a", "b")

    def __call__(self, handler):
        script = self.then if self.is_warm else self.warm
        self.is_warm = True
        script(handler)


@pytest.mark.django_db(transaction=True)
def test_who_presses_while_it_warms_up_is_told_so_and_joins_nothing(lab, alice):
    slow = streams(*["a "] * 16, pause_s=0.3)
    with lab(WarmThenLong(warm=slow)), working():
        room, host = worker_room(alice)
        run = until(queued(room, timezone.now(), **SHORT), warms_up, 30)
        with pytest.raises(LabError, match="It warms up"):
            Press.objects.add(host, timezone.now())
        measuring(run)
        assert Press.objects.add(host, timezone.now()).number == 1
        joined(run, 1)
        run.ask_stop(timezone.now())
        ended(run)


@pytest.mark.django_db(transaction=True)
def test_the_room_makes_a_table_of_one_to_three(lab, alice):
    with lab(WarmThenLong()) as site, working():
        room, host = worker_room(alice)
        guest = RoomSeat.objects.take(room, "Gil", timezone.now())[0]
        run = measuring(queued(room, timezone.now(), **SHORT))
        press_apart(run, guest, 3)
        run.ask_stop(timezone.now())
        run = ended(run)
        assert site.endpoint.most_at_once == 3
    assert (run.status, run.error) == (Status.COMPLETED, "")
    rows = batch(run, host, timezone.now()).rows
    assert [row.users for row in rows] == [1, 2, 3]
    assert all(row.tpot_ms and row.stood_s > 1 for row in rows)
    load = LoadResult.of(run.report, run.asked)
    assert [level.users for level in load.levels] == [1, 2, 3]
    assert all(level.is_whole for level in load.levels)
    assert set(run.figures) == {"1", "2", "3"}
    assert run.figures["3"]["spoiled"] in ([], ["loop-lag"], ["late-p99", "loop-lag"])


@pytest.mark.django_db(transaction=True)
def test_a_killed_child_leaves_the_numbers_of_the_windows_that_ended(
    lab, alice, children
):
    with lab(WarmThenLong()), working():
        room, host = worker_room(alice)
        run = measuring(queued(room, timezone.now(), **SHORT))
        press_apart(run, host, 2)
        os.kill(children[0].pid, signal.SIGKILL)
        run = ended(run, 15)
    assert (run.status, "signal 9" in run.error) == (Status.INTERRUPTED, True)
    (level,) = LoadResult.of(run.report, run.asked).levels
    assert (level.users, level.is_joined, level.tpot.p50 > 0) == (1, True, True)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_leaves_the_numbers_of_the_windows_that_ended(
    lab, alice, monkeypatch
):
    monkeypatch.setattr("interview.lab.models.runs.DEAD_AFTER", timedelta(seconds=4))
    with lab(WarmThenLong()) as site:
        room, host = worker_room(alice)
        run = queued(room, timezone.now(), **SHORT)
        with process() as worker:
            measuring(run)
            press_apart(run, host, 2)
            worker.kill()
            worker.wait()
        # The child has seen its worker's end, and hangs up.
        assert site.endpoint.closed.wait(10)
        with working():
            run = ended(run)
    assert (run.status, "worker died" in run.error) == (Status.INTERRUPTED, True)
    (level,) = LoadResult.of(run.report, run.asked).levels
    assert (level.users, level.tpot.p50 > 0) == (1, True)
    with pytest.raises(LabError):
        Press.objects.add(host, timezone.now())


@pytest.mark.django_db(transaction=True)
def test_nobody_presses(lab, alice):
    with lab(WarmThenLong()), working():
        room, _ = worker_room(alice)
        run = measuring(queued(room, timezone.now(), **SHORT))
        run.ask_stop(timezone.now())
        run = ended(run)
    assert (run.status, run.error) == (Status.CANCELLED, NOBODY)


@pytest.mark.django_db(transaction=True)
def test_the_labs_time_ends_it_with_its_numbers(lab, alice, settings):
    settings.LAB_MAX_SECONDS = 4
    with lab(WarmThenLong()), working():
        room, host = worker_room(alice)
        run = measuring(queued(room, timezone.now(), **SHORT))
        Press.objects.add(host, timezone.now())
        run = ended(run)
    assert (run.status, run.error) == (Status.COMPLETED, "")
    assert run.report["gathering"]["ended"] == "time-limit"


@pytest.mark.django_db(transaction=True)
def test_a_server_that_fails_later_is_told(lab, alice):
    with lab(WarmThenLong(refuse(500, "out of memory"))), working():
        room, host = worker_room(alice)
        run = measuring(queued(room, timezone.now(), **SHORT))
        Press.objects.add(host, timezone.now())
        joined(run, 1)
        time.sleep(0.5)
        run.ask_stop(timezone.now())
        run = ended(run)
    assert (run.status, "out of memory" in run.error) == (Status.FAILED, True)


# What a seat sees.


def page_of(client, room, token):
    client.cookies["prefill_seat"] = token
    return client.get(reverse("room:room", args=[room.slug])).content.decode()


@pytest.mark.django_db
def test_the_room_shows_the_button_and_the_streams_to_every_seat(client, running, room):
    guest, token = RoomSeat.objects.take(room, "Gil", NOW)
    assert "Add my stream" in page_of(client, room, token)
    Press.objects.add(guest, NOW)
    said = page_of(client, room, token)
    assert "Add one more stream" in said
    assert 'data-own="1"' in said
    assert 'data-module="room-batch"' in said
    other = RoomSeat.objects.take(room, "Ona", NOW)[1]
    said = page_of(client, room, other)
    assert "Add my stream" in said
    assert "data-own" not in said
    assert 'data-stream="Gil"' in said


@pytest.mark.django_db
def test_a_button_that_is_of_no_use_says_why(client, running, room):
    token = RoomSeat.objects.take(room, "Gil", NOW)[1]
    room.freeze(timezone.now() + timedelta(seconds=60))
    said = page_of(client, room, token)
    assert "disabled aria-describedby" in said
    assert "The room is quiet for a while" in said


@pytest.mark.django_db
def test_a_press_that_is_refused_says_why(client, running, room):
    client.cookies["prefill_seat"] = RoomSeat.objects.take(room, "Gil", NOW)[1]
    room.freeze(timezone.now() + timedelta(seconds=60))
    answer = client.post(reverse("room:press", args=[room.slug]))
    assert answer.status_code == 422
    assert "nobody adds a stream" in answer.content.decode()


@pytest.mark.django_db
def test_the_room_has_the_table_when_it_is_over(client, running, room, guest):
    for _ in range(3):
        Press.objects.add(guest, NOW)
    told = report(
        (1, 30.0, 33.3),
        (3, 50.0, 60.0),
        missing=[{"users": 2, "stood_ms": 400.0}],
        joins=[{"users": n, "ttft_ms": 90.0} for n in (1, 2, 3)],
    )
    running.finish(running.held, Status.COMPLETED, NOW, report=told)
    token = RoomSeat.objects.take(room, "Ona", NOW)[1]
    said = page_of(client, room, token)
    assert "Made by the people in this room" in said
    assert "not measured: it stood for less than a second" in said
    assert "Each of them gets its tokens more slowly" in said
    assert said.count("agrees</p>") == 2
    assert "Add my stream" not in said


@pytest.mark.django_db
def test_the_hosts_page_of_the_run_leads_to_the_room(at_alice, running, room):
    said = at_alice.get(reverse("lab:run", args=[running.slug])).content.decode()
    assert reverse("room:room", args=[room.slug]) in said
    assert "data-instrument" not in said


def test_a_form_that_is_sent_twice_adds_one_stream(client, running, room):
    _, token = RoomSeat.objects.take(room, "Gil", NOW)
    client.cookies["prefill_seat"] = token
    path = reverse("room:press", args=[room.slug])
    for pressed in (1, 2):
        page = client.get(reverse("room:room", args=[room.slug])).content.decode()
        key = re.search(r'name="key" value="([^"]+)"', page)[1]
        for _ in range(2):
            assert client.post(path, {"key": key}).status_code == 303
        assert running.presses.count() == pressed
