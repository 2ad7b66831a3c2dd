"""A load in the running product: what cuts it short costs no finished level.

And the engine is rid of our requests within two seconds, whatever was killed.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time

import httpx
import pytest

from tests.live_site import ENDED, ROOT, eventually, free_port, listens, running_site

pytestmark = pytest.mark.usefixtures("live_site")

CLEAR_S = 2.0
FIRST_REQUESTS = 4
"""Measured requests of the first level."""
EXPERIMENT = """---
id: alone-and-in-a-crowd
title: Alone and in a crowd
status: written
prompt_tokens: 32
output_tokens: 64
repetitions: 1
loads:
  - {name: alone, users: 1, requests: 4}
  - {name: crowd, users: 8, requests: 32}
predict: [ttft_ms@alone, ttft_ms@crowd]
---
Two loads with names.

## Question to predict

How long is the wait?

## What to look for

- The wait.

## Claims

### The wait grows. {#grows of=ttft_ms@crowd to=ttft_ms@alone agrees=1.. doubt=0.9..}

These are the two waits.
"""
PLAIN = {
    "source": "text",
    "prompt_tokens": "32",
    "max_tokens": "64",
    "load": "custom",
    "levels": "1, 8",
    "repeat": "1",
}
LOADS = {"levels": PLAIN, "names": {"experiment": "alone-and-in-a-crowd"}}


class Spark:
    """The simulated endpoint, four times as fast, at an address of its own."""

    def __init__(self):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        command = [sys.executable, "-m", "interview.spark"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--speed", "4"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
        eventually(lambda: listens(f"{self.url}/health"), 15, lambda: "no simulator")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def requests(self):
        """How many requests it runs and keeps waiting."""
        page = httpx.get(f"{self.url}/metrics").text
        found = re.findall(
            r"^vllm:num_requests_(?:running|waiting)\{.*\} (.+)$", page, re.M
        )
        assert len(found) == 2
        return sum(map(float, found))


@pytest.fixture(scope="module")
def spark():
    endpoint = Spark()
    yield endpoint
    endpoint.kill()


@pytest.fixture(scope="module")
def live_site(spark, tmp_path_factory):
    content = tmp_path_factory.mktemp("content")
    (content / "experiments").mkdir()
    (content / "experiments/alone-and-in-a-crowd.md").write_text(EXPERIMENT)
    settings = {
        "LAB_URL": spark.url,
        "LAB_MODEL": "Qwen/Qwen3-30B-A3B-simulated",
        "CONTENT_PATHS": content,
    }
    with running_site(os.environ.get("DATABASE_URL", ""), **settings) as site:
        yield site


@pytest.fixture(params=LOADS)
def run(request, live_site, spark):
    """A load whose second level is running."""
    slug = live_site.run(prompt="", **LOADS[request.param])
    eventually(lambda: is_in_second_level(live_site, slug), 60, live_site.said)
    assert spark.requests() > 0
    return slug


def is_in_second_level(site, slug):
    with contextlib.suppress(httpx.HTTPError):
        log = site.client.get(f"/lab/runs/{slug}/log.json").json()
        kinds = [event["k"] for _, batch in log["batches"] for event in batch]
        return kinds.count("level") == 3 and kinds[-1] == "ticks"


def is_cleared(spark, since):
    """The engine has nothing of ours any more, soon enough after `since`."""
    eventually(lambda: spark.requests() == 0, 10, lambda: "requests were left running")
    assert time.monotonic() - since < CLEAR_S


def first_level_is_kept(site, slug):
    levels = site.report(slug)["levels"]
    assert levels[0]["summary"]["completed"] == FIRST_REQUESTS
    assert levels[0]["summary"]["tpot_ms"]["p50"] > 0


def test_stop_keeps_the_level_that_ended(live_site, spark, run):
    live_site.post(f"/lab/runs/{run}/stop/")
    is_cleared(spark, time.monotonic())
    assert live_site.wait_for(run) == "cancelled"
    first_level_is_kept(live_site, run)


@pytest.mark.parametrize("part", ["measure", "worker"])
def test_a_killed_part_keeps_the_level_that_ended(live_site, spark, run, part):
    pid = live_site.pid(part)
    since = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    is_cleared(spark, since)
    assert live_site.wait_for(run) == "interrupted"
    first_level_is_kept(live_site, run)
    assert live_site.report(run)["run"]["error"]


def test_a_restarted_endpoint_keeps_the_level_that_ended(live_site, spark, run):
    spark.kill()
    spark.start()
    assert live_site.wait_for(run) in ENDED
    is_cleared(spark, time.monotonic())
    first_level_is_kept(live_site, run)
    # The load goes on where the endpoint lets it.
    last = live_site.report(run)["levels"][-1]["summary"]
    assert last["failed"] + last["incomplete"] > 0


def test_a_closed_watching_tab_stops_nothing(live_site, spark, run):
    with live_site.client.stream("GET", f"/lab/runs/{run}/events") as stream:
        next(stream.iter_raw())
    assert live_site.wait_for(run) == "completed"
    is_cleared(spark, time.monotonic())
    first_level_is_kept(live_site, run)
    last = live_site.report(run)["levels"][-1]["summary"]
    assert (last["failed"], last["incomplete"], last["cancelled"]) == (0, 0, 0)
