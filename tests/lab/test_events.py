"""The stream of a run over a real server: first bytes, resume, cap, goodbye."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from interview.lab.models import Status, Worker
from tests.lab.cast import batch, later, token

pytestmark = pytest.mark.django_db(transaction=True)
PROGRAM = Path(__file__).with_name("web_process.py")
ROOT = PROGRAM.parents[2]


class Web:
    """A server whose one owner sees all runs; `watch` opens a stream."""

    def __init__(self, **environment):
        with socket.socket() as trial:
            trial.bind(("127.0.0.1", 0))
            port = trial.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, str(connection.settings_dict["NAME"]), str(port)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20)
        self.wait_until_up(port)

    def wait_until_up(self, port):
        deadline = time.monotonic() + 30
        while True:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", port), 1),
            ):
                return
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def watch(self, run, **options):
        return self.client.stream("GET", f"/lab/runs/{run.slug}/events", **options)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        self.client.close()


@pytest.fixture
def web(shared):
    server = Web()
    yield server
    server.stop()


@pytest.fixture
def running(claimed):
    """A running run with five batches, whose worker lives."""
    run, claim = claimed
    for n in range(1, 6):
        run.append(claim, batch(token(str(n), n)))
    run.renew(claim, timezone.now(), 5)
    Worker.objects.get().beat(timezone.now())
    return run, claim


def frames(lines):
    """Frames of a response as dicts of their fields; comments are left out."""
    frame = {}
    for line in lines:
        if not line:
            if frame:
                yield frame
            frame = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            frame[name] = value


def ids(told):
    return [int(frame["id"]) for frame in told if "id" in frame]


def test_the_first_bytes_come_at_once_with_headers_that_forbid_buffering(web, running):
    run, _ = running
    with web.watch(run) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-cache, no-transform"
        assert answer.headers["X-Accel-Buffering"] == "no"
        assert "Content-Length" not in answer.headers
        told = frames(answer.iter_lines())
        assert next(told) == {"retry": "2000"}
        assert next(told)["event"] == "state"
        assert next(told)["id"] == "1"


def test_a_finished_run_streams_to_its_end(web, running):
    run, claim = running
    run.finish(claim, Status.COMPLETED, later(9), report=None)
    with web.watch(run) as answer:
        told = list(frames(answer.iter_lines()))
    assert ids(told) == [1, 2, 3, 4, 5]
    assert told[-1] == {"event": "done", "data": '{"status": "completed"}'}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"headers": {"Last-Event-ID": "3"}}, [4, 5]),
        ({"params": {"after": "4"}}, [5]),
        ({"headers": {"Last-Event-ID": "2"}, "params": {"after": "4"}}, [3, 4, 5]),
        ({"params": {"after": "5"}}, []),
        ({"params": {"after": "99"}}, [1, 2, 3, 4, 5]),
        ({"params": {"after": "-1"}}, [1, 2, 3, 4, 5]),
        ({"params": {"after": "nonsense"}}, [1, 2, 3, 4, 5]),
    ],
)
def test_a_cut_stream_goes_on_behind_its_last_id(web, running, options, expected):
    run, claim = running
    run.finish(claim, Status.COMPLETED, later(9), report=None)
    with web.watch(run, **options) as answer:
        assert ids(frames(answer.iter_lines())) == expected


def test_what_is_written_while_somebody_watches_arrives(web, running):
    run, claim = running
    with web.watch(run) as answer:
        told = frames(answer.iter_lines())
        while next(told).get("id") != "5":
            pass
        run.append(claim, batch(token("6", 6)))
        assert next(frame for frame in told if "id" in frame)["id"] == "6"
        run.finish(claim, Status.COMPLETED, later(9), report=None)
        assert [frame["event"] for frame in told] == ["state", "done"]


def test_a_stopping_server_says_goodbye_and_is_gone(running, shared):
    web = Web()
    run, _ = running
    with web.watch(run) as answer:
        told = frames(answer.iter_lines())
        while next(told).get("id") != "5":
            pass
        stopped = time.monotonic()
        web.process.send_signal(signal.SIGTERM)
        assert [frame.get("event") for frame in told][-1] == "bye"
        web.process.wait(10)
    assert time.monotonic() - stopped < 2.5
    web.client.close()


def test_too_many_watchers_are_asked_to_come_back(running, shared):
    web = Web(LAB_MAX_WATCHERS="1")
    run, _ = running
    with web.watch(run) as answer:
        told = frames(answer.iter_lines())
        while next(told).get("event") != "state":
            pass
        with web.watch(run) as refused:
            assert refused.status_code == 503
            assert refused.headers["Retry-After"] == "10"
    web.stop()


def test_a_run_that_is_not_there_is_not_streamed(web):
    answer = web.client.get("/lab/runs/none/events")
    assert answer.status_code == 404
