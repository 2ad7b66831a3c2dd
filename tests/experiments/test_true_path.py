"""Every experiment through the measuring client and the simulated server, over HTTP.

In real time, six times faster than true: the whole file takes less than a minute. A
machine that is too busy for that says so by a client that is late, and is excused.
"""

import json
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from interview.lab.experiments.verdict import Outcome, verdicts
from interview.lab.results.figures import figures_of
from tests.experiments.asked import asked_of, fields_of
from tests.experiments.shelf import EXPERIMENTS, decisive
from tests.measure.child import Child
from tests.spark.spark_process import SparkProcess

SPEED = 6
STANDS_S = 2.0
LATE = {"loop-lag", "late-p99", "always-late"}
OF_A_LATE_CLIENT = LATE | {"buffered"}


@contextmanager
def spark(*flags):
    process = SparkProcess(*flags, speed=SPEED)
    try:
        yield process
    finally:
        process.stop()


@pytest.fixture(scope="module")
def server():
    with spark() as process:
        yield process


def brief(experiment):
    """One request of each user."""
    loads = (replace(load, requests=load.users) for load in experiment.loads)
    return decisive(replace(experiment, loads=tuple(loads)))


def figures(experiment, server):
    """Warmed up only where a prompt is to be in the cache."""
    served = json.loads(server.get("/v1/models"))["data"][0]["id"]
    fields = fields_of(experiment, server.url, served) | {"warmup": 0}
    for load in fields.get("loads", ()):
        load |= {"warmup": int(not load["fresh_prompt"])}
    if experiment.gathers:
        del fields["warmup"]
    with Child(fields) as child:
        if experiment.gathers:
            gather(child)
        last = child.rest()[-1]
    assert last["k"] == "report", last
    return figures_of(last["report"], asked_of(experiment))


def gather(child):
    """Four people, one after the other, and an end."""
    child.until(lambda event: event.get("phase") == "measuring")
    for person in range(1, 5):
        child.process.stdin.write(json.dumps({"join": person}).encode() + b"\n")
        child.process.stdin.flush()
        time.sleep(STANDS_S)
    child.stop()


def check(name, server, outcome, claims):
    """These claims have this outcome, also where the client was only a little late."""
    experiment = brief(EXPERIMENTS[name])
    found = figures(experiment, server)
    late = {load for load, its in found.items() if LATE & set(its["spoiled"])}
    for load in late:
        its = found[load]
        its["spoiled"] = [c for c in its["spoiled"] if c not in OF_A_LATE_CLIENT]
    others = [
        verdict
        for verdict in verdicts(experiment, found)
        if verdict.claim.id in claims and verdict.outcome is not outcome
    ]
    excused = [v for v in others if {v.claim.of.load, v.claim.to.load} & late]
    assert [v.sentence for v in others if v not in excused] == []
    if excused:
        pytest.skip(f"This machine is too busy: {[v.sentence for v in excused]}.")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_claim_agrees_over_http(name, server):
    claims = {claim.id for claim in EXPERIMENTS[name].claims}
    check(name, server, Outcome.AGREES, claims)


@pytest.mark.parametrize(
    ("name", "flag", "claims"),
    [
        ("same-prompt-twice", "--no-prefix-cache", {"sooner"}),
        ("moe-batch-curve", "--dense", {"early", "not-like-3b", "shared-output"}),
    ],
)
def test_a_claim_is_refuted_over_http_when_its_cause_is_off(name, flag, claims):
    with spark(flag) as server:
        check(name, server, Outcome.REFUTES, claims)
