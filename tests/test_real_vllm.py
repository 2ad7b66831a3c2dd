"""The lab against a real vLLM server: set VLLM_TEST_URL (and VLLM_TEST_MODEL).

A simulator proves only that we agree with ourselves.
"""

import os
import re
import time

import httpx
import pytest

from tests.live_site import eventually, running_site

URL = os.environ.get("VLLM_TEST_URL", "")
MODEL = os.environ.get("VLLM_TEST_MODEL", "")
pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not URL, reason="set VLLM_TEST_URL to a real vLLM server"),
    pytest.mark.usefixtures("live_site"),
]


@pytest.fixture(scope="module")
def live_site():
    database = os.environ.get("DATABASE_URL", "")
    with running_site(database, LAB_URL=URL, LAB_MODEL=MODEL) as site:
        yield site


def running():
    """Requests that the engine runs now, by its own gauge."""
    text = httpx.get(f"{URL.removesuffix('/v1')}/metrics").text
    return sum(
        map(float, re.findall(r"^vllm:num_requests_running\{.*\} (.+)$", text, re.M))
    )


def test_a_run_is_measured(live_site):
    slug = live_site.run(max_tokens="64", prompt_tokens="128")
    assert live_site.wait_for(slug) == "completed"
    report = live_site.report(slug)
    request = report["requests"][0]
    assert report["run"]["simulated"] is False
    assert report["target"]["engine"].startswith("vllm 0.")
    assert request["tokens"] == 64
    assert request["tokens_from"] == "usage"
    assert len(request["itl_ms"]) == request["events"] - 1
    gaps_ms = sum(request["itl_ms"])
    assert gaps_ms == pytest.approx(request["e2e_ms"] - request["ttft_ms"], abs=0.001)
    assert live_site.tokens(slug) == 64


def test_stop_aborts_the_request_in_the_engine(live_site):
    slug = live_site.run(max_tokens="512", prompt_tokens="16")
    live_site.wait_for_tokens(slug, 4)
    assert running() == 1
    live_site.post(f"/lab/runs/{slug}/stop/")
    stopped = time.monotonic()
    eventually(lambda: running() == 0, 10, lambda: "still running in the engine")
    assert time.monotonic() - stopped < 2
    assert live_site.wait_for(slug) == "cancelled"


def test_a_watcher_that_leaves_stops_nothing(live_site):
    slug = live_site.run(max_tokens="200", prompt_tokens="16")
    with live_site.client.stream("GET", f"/lab/runs/{slug}/events") as stream:
        next(stream.iter_raw())
    assert live_site.wait_for(slug) == "completed"
    assert live_site.report(slug)["requests"][0]["tokens"] == 200


def test_an_unknown_model_is_a_named_failure():
    database = os.environ.get("DATABASE_URL", "")
    with running_site(database, LAB_URL=URL, LAB_MODEL="no-such-model") as site:
        assert "has no model no-such-model" in site.said()
        slug = site.run()
        assert site.wait_for(slug) == "failed"
        assert "does not exist" in site.report(slug)["run"]["error"]


def test_a_prompt_longer_than_the_context_is_a_named_failure():
    database = os.environ.get("DATABASE_URL", "")
    cap = {"LAB_MAX_PROMPT_TOKENS": "1000000"}
    with running_site(database, LAB_URL=URL, LAB_MODEL=MODEL, **cap) as site:
        slug = site.run(prompt="many words " * 8_000)
        assert site.wait_for(slug) == "failed"
        assert "maximum context length" in site.report(slug)["run"]["error"]
