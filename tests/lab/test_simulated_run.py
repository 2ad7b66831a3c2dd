"""A run on the simulator: badged as what it is, up to the simulator's death."""

import signal
import subprocess
import sys
import time

import pytest
from django.utils import timezone

from interview.lab.endpoint import Endpoint
from interview.lab.models import Run, Status
from interview.lab.spec import Spec
from tests.lab.stage import ROOT, ended, first_request, streaming, working

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
