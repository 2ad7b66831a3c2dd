"""A run keeps its figures when it ends, whoever ends it; older runs get theirs."""

import importlib
import json

import pytest
from django.apps import apps
from django.utils import timezone

from interview.lab.models import Run, Status
from tests.lab.cast import later
from tests.lab.loads import level, repetition, repetition_events, report, request

REPORT = report(level(1, repetition(1, [request(n) for n in range(4)])))
SPEC = {"prompt_tokens": 64, "levels": [1], "requests": None}


@pytest.fixture
def load(make_run, worker):
    run = make_run(**SPEC)
    return run, run.claim(worker, later(0))


def values(run):
    return run.figures["1"]["values"]


def test_a_run_that_ends_keeps_its_figures(load):
    run, claim = load
    run.finish(claim, Status.COMPLETED, later(1), report=REPORT)
    assert values(run)["ttft_ms"][0] == 200.0


def test_without_a_report_there_are_no_figures(load):
    run, claim = load
    run.finish(claim, Status.FAILED, later(1), report=None)
    assert run.figures is None


def test_a_run_whose_worker_died_has_those_of_its_finished_loads(load):
    run, claim = load
    run.append(claim, json.dumps(repetition_events(1, [request(n) for n in range(4)])))
    assert Run.objects.interrupt_dead(timezone.now()) == 1
    run.refresh_from_db()
    assert (run.status, values(run)["tpot_ms"][0]) == (Status.INTERRUPTED, 30.0)


def test_runs_from_before_get_their_figures(load, make_run):
    run, claim = load
    run.finish(claim, Status.COMPLETED, later(1), report=REPORT)
    Run.objects.update(figures=None)
    waiting = make_run()
    name = "interview.lab.migrations.0006_quantities"
    importlib.import_module(name).fill_figures(apps, None)
    run.refresh_from_db()
    waiting.refresh_from_db()
    assert values(run)["ttft_ms"][0] == 200.0
    assert waiting.figures is None
