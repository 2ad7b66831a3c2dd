"""Measures a real vLLM: VLLM_TEST_URL, and VLLM_TEST_MODEL when it serves several."""

import json
import os
import subprocess
import sys
import urllib.request

import pytest

from tests.measure.child import Child

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(
        "VLLM_TEST_URL" not in os.environ, reason="VLLM_TEST_URL names no server"
    ),
]
TOKENS = 24


@pytest.fixture(scope="module")
def url():
    return os.environ["VLLM_TEST_URL"]


@pytest.fixture(scope="module")
def model(url):
    with urllib.request.urlopen(url + "/v1/models") as answer:
        served = json.load(answer)["data"][0]["id"]
    return os.environ.get("VLLM_TEST_MODEL", served)


@pytest.fixture(scope="module")
def metric(url):
    def read(name):
        with urllib.request.urlopen(url + "/metrics") as page:
            lines = page.read().decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    return read


@pytest.fixture
def measured(url, model):
    def measure(*options):
        command = [sys.executable, "-m", "interview.measure", url, "--model", model]
        command += ["--max-tokens", str(TOKENS), "--json", "-", *options]
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=300, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return measure


@pytest.mark.parametrize("api", ["chat", "completions"])
@pytest.mark.parametrize("users", ["1", "4"])
def test_a_real_stream_is_counted_token_by_token(measured, api, users):
    told = measured("--api", api, "--users", users, "--prompt-tokens", "100")
    assert told["target"]["engine"].startswith("vllm ")
    assert told["summary"]["completed"] == told["load"]["requests"]
    assert told["load"]["reached_users"] == int(users)
    for request in told["requests"]:
        assert request["tokens"] == sum(request["event_tokens"]) == TOKENS
        assert request["tokens_from"] == "usage"
        assert request["prompt_tokens"] == 100
        assert request["cached_tokens"] in (0, None)
        assert request["finish_reason"] == "length"
        assert not {"token-sum", "itl-sum", "one-token-per-event"} & set(
            request["notes"]
        )
        assert sum(request["itl_ms"]) == pytest.approx(
            request["e2e_ms"] - request["ttft_ms"], abs=0.001
        )
        assert 0 < request["headers_ms"] <= request["ttft_ms"]


def test_the_servers_own_token_count_agrees(measured, metric):
    before = metric("vllm:generation_tokens_total")
    told = measured("--warmup", "0", "--requests", "3", "--prompt-tokens", "50")
    assert metric("vllm:generation_tokens_total") - before == 3 * TOKENS
    assert told["summary"]["tokens"] == 3 * TOKENS


def test_the_same_prompt_is_warm_after_its_warm_up(measured):
    told = measured("--same-prompt", "--prompt-tokens", "200", "--requests", "3")
    cached = [request["cached_tokens"] for request in told["requests"]]
    if cached[0] is None:
        pytest.skip("the server runs without --enable-prompt-tokens-details")
    assert min(cached) >= 100


def test_neighbours_are_ours_and_stall_the_measured_stream(url, model):
    beside = {"requests": 2, "prompt_tokens": 1000, "after_tokens": 10}
    spec = {
        "url": url,
        "model": model,
        "loads": [{"name": "alone"}, {"name": "beside", "neighbours": beside}],
        "prompt_tokens": 40,
        "max_tokens": 64,
        "requests": 3,
    }
    with Child(spec) as child:
        events = child.rest()
    alone, stalled = events[-1]["report"]["levels"]
    assert {event["others"] for event in events if event["k"] == "gauge"} == {0}
    (repetition,) = stalled["repetitions"]
    assert repetition["engine"]["alone"]
    assert [n["status"] for n in repetition["neighbours"]] == ["completed"] * 6
    assert {n["prompt_tokens"] for n in repetition["neighbours"]} == {1000}
    assert {n["connect_ms"] for n in repetition["neighbours"][:2]} == {None}
    assert stalled["summary"]["neighbour_ttft_ms"]["n"] == 6
    assert stalled["summary"]["itl_ms"]["max"] > 3 * alone["summary"]["itl_ms"]["p50"]


def test_several_choices_are_counted_over_all(url, model):
    spec = {
        "url": url,
        "model": model,
        "prompt": "Tell me a number.",
        "ignore_eos": True,
        "max_tokens": TOKENS,
        "requests": 2,
        "extra_body": {"n": 2, "temperature": 1},
    }
    with Child(spec) as child:
        told = child.rest()[-1]["report"]
    for request in told["requests"]:
        assert request["tokens"] == sum(request["event_tokens"]) == 2 * TOKENS
        assert "several-choices" in request["notes"]
        assert len(request["other_texts"]) == 1


def test_a_prompt_that_is_too_long_is_told_in_the_servers_words(measured):
    told = measured(*("--prompt", "word " * 10_000, "--requests", "1", "--warmup", "0"))
    (request,) = told["requests"]
    assert (request["status"], request["http_status"]) == ("failed", 400)
    assert "context length" in request["error"]


def test_an_unknown_model_is_told_with_those_there_are(url, model):
    ran = subprocess.run(
        [sys.executable, "-m", "interview.measure", url, "--model", "no-such-model"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 3
    assert "no-such-model" in ran.stderr
    assert model in ran.stderr
