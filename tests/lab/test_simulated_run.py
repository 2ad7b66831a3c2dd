"""A run on the simulator: badged as what it is, up to the simulator's death."""

import signal
import subprocess
import sys
import time

import pytest
from django.utils import timezone

from interview.lab.endpoint import Endpoint
from interview.lab.models import Run, Status
from interview.lab.pages import load_context
from interview.lab.runs.spec import Spec
from tests.lab.stage import ROOT, ended, first_request, streaming, until, working

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spark(shared):
    process = subprocess.Popen(
        [sys.executable, "-m", "interview.spark", "--port", "0", "--speed", "4"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        shared.LAB_URL = process.stdout.readline().split()[-1]
        shared.LAB_MODEL = "Qwen/Qwen3-30B-A3B-simulated"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ask(person, max_tokens):
    spec = Spec(prompt="Why?", max_tokens=max_tokens)
    return Run.objects.queue(person, spec, timezone.now())


def test_a_simulated_run_says_so(spark, alice):
    assert Endpoint.current().name == "simulated DGX Spark"
    with working():
        run = ended(ask(alice, 20))
    assert (run.status, run.simulated) == (Status.COMPLETED, True)
    assert first_request(run)["tokens"] <= 20


def test_the_worker_sees_that_an_endpoint_is_simulated(spark, alice, shared):
    with working():
        run = ask(alice, 20)
        # As if the operator's name for it had not told.
        Run.objects.filter(pk=run.pk).update(simulated=False)
        assert ended(run).simulated


def test_a_killed_endpoint_ends_the_run_with_what_came(spark, alice):
    with working():
        run = streaming(ask(alice, 500))
        spark.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        run = ended(run)
        assert time.monotonic() - killed < 10
        after = ended(ask(alice, 5))
    assert run.status in {Status.FAILED, Status.INCOMPLETE}
    assert run.error
    assert first_request(run)["text"]
    assert after.error.startswith("Could not connect")


def test_a_load_has_the_engines_times_and_the_hardwares_limit(spark, alice):
    lengths = {"prompt_tokens": 64, "max_tokens": 16}
    spec = Spec("", levels=[1, 8], requests=[2, 16], **lengths)
    with working():
        run = ended(Run.objects.queue(alice, spec, timezone.now()))
    assert (run.status, run.error, run.simulated) == (Status.COMPLETED, "", True)
    load = load_context(run)["load"]
    for level, requests in zip(load.levels, (2, 16), strict=True):
        assert (level.completed, level.reached_users) == (requests, level.users)
        assert level.is_separable
        assert level.prefill_ms > 0
        assert level.limit.tpot_ms > 0
        assert level.limit.share_percent > 0
    assert load.levels[1].output_tokens_per_s > load.levels[0].output_tokens_per_s
    assert "8 users got" in load.sentences()[0]


def test_a_killed_endpoint_leaves_the_levels_that_ended(spark, alice):
    lengths = {"prompt_tokens": 32, "max_tokens": 200}
    spec = Spec("", levels=[1, 4], requests=[1, 8], **lengths)
    with working():
        run = Run.objects.queue(alice, spec, timezone.now())
        run = until(run, in_second_level, 60)
        spark.send_signal(signal.SIGKILL)
        run = ended(run, 30)
    load = load_context(run)["load"]
    assert run.status == Status.INCOMPLETE
    assert (load.level(1).completed, load.level(4).completed) == (1, 0)
    assert load.level(4).error


def in_second_level(run):
    told = [event for event in run.events() if event["k"] in {"level", "ticks"}]
    return [event["k"] for event in told][-1:] == ["ticks"] and len(told) > 5
