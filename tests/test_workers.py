"""Several lab workers, each a process of its own, on one database."""

import contextlib
import os
import signal
import time
from itertools import pairwise

import pytest
from django.utils import timezone

from interview.accounts.models import User
from interview.lab.models import Status, Worker
from tests.lab.scripted import endless, streams
from tests.lab.stage import Lab, ended, process, streaming

pytestmark = pytest.mark.django_db(transaction=True)
WORKERS = 3
MARKED_WITHIN_S = 15


@pytest.fixture
def person(settings):
    settings.LAB_MAX_QUEUED_PER_PERSON = 20
    return User.objects.create(name="alice", password="!")


@contextlib.contextmanager
def workers(number):
    """So many processes, once all have given a sign of life."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(process()) for _ in range(number)]


def alive():
    return Worker.objects.alive(timezone.now()).count()


def wait_for_workers(number):
    deadline = time.monotonic() + 30
    while alive() < number:
        assert time.monotonic() < deadline, f"{alive()} of {number} workers"
        time.sleep(0.1)


def test_no_two_workers_measure_on_one_endpoint_at_once(person, settings):
    script = streams("a", "b", "c", pause_s=0.1)
    with Lab(person, settings, script) as lab, workers(WORKERS):
        wait_for_workers(WORKERS)
        runs = [ended(run, 60) for run in [lab.run() for _ in range(9)]]
    assert {run.status for run in runs} == {Status.COMPLETED}
    assert (len(lab.endpoint.bodies), lab.endpoint.most_at_once) == (9, 1)
    spans = sorted((run.started_at, run.ended_at) for run in runs)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_a_killed_workers_run_is_marked_and_the_next_goes_on(person, settings):
    with Lab(person, settings, endless) as lab, workers(2) as processes:
        wait_for_workers(2)
        run = streaming(lab.run())
        after = lab.run()
        os.kill(holder(processes), signal.SIGKILL)
        killed_at = time.monotonic()
        run = ended(run, MARKED_WITHIN_S)
        took_s = time.monotonic() - killed_at
        lab.endpoint.script = streams("fine")
        streaming_or_over = ended_soon(after)
    assert run.status == Status.INTERRUPTED
    assert "worker died" in run.error
    assert took_s < MARKED_WITHIN_S
    assert streaming_or_over


def holder(processes):
    """The id of the worker process that has a measuring child."""
    for worker in processes:
        with open(f"/proc/{worker.pid}/task/{worker.pid}/children") as children:
            if children.read().split():
                return worker.pid
    raise AssertionError("no worker measures")


def ended_soon(run):
    run.ask_stop(timezone.now())
    return ended(run, 30).is_over
