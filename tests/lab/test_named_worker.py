"""Named loads from the queue to their figures, and what cuts them short."""

import os
import signal
from datetime import timedelta

import pytest
from django.utils import timezone

from interview.lab.models import Run, Status
from interview.lab.results.load_result import LoadResult
from interview.lab.runs.spec import Spec
from tests.lab.scripted import endless, streams
from tests.lab.stage import Lab, ended, process, until, working

pytestmark = pytest.mark.django_db(transaction=True)

SHORT = {"name": "short", "requests": 2, "prompt_tokens": 16, "max_tokens": 3}
BESIDE = SHORT | {
    "name": "beside",
    "neighbours": {"requests": 1, "prompt_tokens": 64, "after_tokens": 1},
}
OF_FIRST = 3
"""Requests of “short”, with its warm-up."""


@pytest.fixture
def lab(alice, settings):
    return lambda script: Lab(alice, settings, script)


def named(person, *loads):
    spec = Spec.of_loads(loads)
    return Run.objects.queue(person, spec, timezone.now())


def answers():
    return streams("a", "b", "c", pause_s=0.01)


class Stuck:
    """Answers the first load and lets the second run on."""

    left = OF_FIRST

    def __call__(self, handler):
        self.left -= 1
        (answers() if self.left >= 0 else endless)(handler)


def second_started(run):
    def is_there(now):
        return [event["k"] for event in now.events()].count("level") >= 2

    return until(run, is_there, 30)


def test_loads_of_equal_users_are_measured_apart(lab, alice):
    with lab(answers()), working():
        run = ended(named(alice, SHORT, BESIDE))
    assert (run.status, run.error) == (Status.COMPLETED, "")
    found = LoadResult.of(run.report, run.asked)
    assert [level.title for level in found.levels] == ["short", "beside"]
    assert [level.completed for level in found.levels] == [2, 2]
    assert [level.neighbours for level in found.levels] == [None, 1]
    assert found.levels[1].neighbour_ttft.n == 2
    assert (found.missing, found.sentences()) == ((), ())
    assert set(run.figures) == {"short", "beside"}
    assert "neighbour_ttft_ms" not in run.figures["short"]["values"]
    assert run.figures["beside"]["values"]["neighbour_ttft_ms"][0] > 0


def test_stop_keeps_the_load_that_ended(lab, alice):
    with lab(Stuck()), working():
        run = second_started(named(alice, SHORT, SHORT | {"name": "long"}))
        run.ask_stop(timezone.now())
        run = ended(run, 10)
    assert run.status == Status.CANCELLED
    assert run.figures["short"]["values"]["ttft_ms"][0] > 0


def test_a_killed_worker_keeps_the_load_that_ended(lab, alice, monkeypatch):
    monkeypatch.setattr("interview.lab.models.runs.DEAD_AFTER", timedelta(seconds=2))
    with lab(Stuck()):
        run = named(alice, SHORT, SHORT | {"name": "long"})
        with process() as worker:
            run = second_started(run)
            os.kill(worker.pid, signal.SIGKILL)
        until(run, lambda _: Run.objects.interrupt_dead(timezone.now()), 15)
    run.refresh_from_db()
    assert run.status == Status.INTERRUPTED
    (only,) = LoadResult.of(run.report, run.asked).levels
    assert (only.title, only.completed) == ("short", 2)
    assert set(run.figures) == {"short"}
