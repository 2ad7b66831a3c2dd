"""A level as vLLM's own benchmark writes it: the same keys, the same units."""

import re
from html import unescape

from interview.lab.models import Run, Status
from tests.lab.cast import at, later
from tests.lab.loads import level, repetition, report, request

SETUP = {
    *("date", "endpoint_type", "backend", "label", "model_id", "tokenizer_id"),
    *("num_prompts", "request_rate", "burstiness", "max_concurrency"),
}
RESULT = {
    *("duration", "completed", "failed", "total_input_tokens", "total_output_tokens"),
    *("request_throughput", "request_goodput", "output_throughput"),
    *("total_token_throughput", "input_lens", "output_lens", "ttfts", "itls"),
    *("latencies", "start_times", "queue_times", "generated_texts", "errors"),
    *("max_output_tokens_per_s", "max_concurrent_requests", "rtfx"),
}
STATISTICS = {
    f"{part}_{metric}_ms"
    for part in ("mean", "median", "std", "p99")
    for metric in ("ttft", "tpot", "itl", "e2el")
}


def measured(claimed, *levels):
    run, claim = claimed
    run.finish(claim, Status.COMPLETED, later(9), report=report(*levels))
    return run


def bench(client, run, **query):
    return client.get(at("run_bench", run), query)


def one_level(users=2):
    done = request(ttft_ms=200.0, tokens=11)
    slow = request(ttft_ms=400.0, tokens=11, sent_ms=1_100.0, stream=1)
    return level(users, repetition(users, [done, slow, request(status="failed")]))


def test_it_has_every_key_of_vllm_and_ours_as_metadata(at_alice, claimed):
    told = bench(at_alice, measured(claimed, one_level())).json()
    ours = {"run", "load", "repetition", "simulated"}
    assert set(told) == SETUP | RESULT | STATISTICS | ours


def test_times_are_seconds_and_statistics_ms(at_alice, claimed):
    told = bench(at_alice, measured(claimed, one_level())).json()
    assert told["ttfts"] == [0.2, 0.4, None]
    assert told["itls"][0] == [0.03] * 10
    assert told["itls"][2] == []
    assert told["latencies"] == [0.5, 0.7, None]
    assert (told["mean_ttft_ms"], told["std_ttft_ms"]) == (300.0, 100.0)
    assert (told["median_itl_ms"], told["median_tpot_ms"]) == (30.0, 30.0)
    assert (told["completed"], told["failed"], told["num_prompts"]) == (2, 1, 3)
    # From the first sending at 1,000 ms to the second stream's end at 1,801 ms.
    assert round(told["duration"], 6) == 0.801
    assert round(told["output_throughput"], 3) == round(22 / 0.801, 3)
    assert told["total_input_tokens"] == 128
    assert told["errors"] == ["", "", "HTTP 500: broken"]


def test_a_level_is_chosen_by_its_users(at_alice, claimed):
    run = measured(claimed, one_level(1), one_level(64))
    first, loaded = bench(at_alice, run), bench(at_alice, run, level="64")
    assert first.json()["max_concurrency"] == 1
    assert loaded.json()["max_concurrency"] == 64
    name = f'filename="run-{run.slug}-64-users.bench.json"'
    assert name in loaded["Content-Disposition"]


def test_a_load_is_chosen_by_its_name(at_alice, claimed):
    short, long = one_level(1) | {"name": "short"}, one_level(1) | {"name": "long"}
    run = measured(claimed, short, long)
    told = bench(at_alice, run, level="long")
    assert (told.json()["load"], told.json()["max_concurrency"]) == ("long", 1)
    assert f'filename="run-{run.slug}-long.bench.json"' in told["Content-Disposition"]


def test_a_repetition_is_chosen_by_its_number(at_alice, claimed):
    fast, slow = (repetition(4, [request(ttft_ms=ms)]) for ms in (100.0, 300.0))
    run = measured(claimed, level(4, fast, slow))
    assert bench(at_alice, run).json()["mean_ttft_ms"] == 100.0
    second = bench(at_alice, run, repetition="1").json()
    assert (second["mean_ttft_ms"], second["repetition"]) == (300.0, 1)


def test_a_run_links_to_every_repetition_that_it_can_give(at_alice, make_run, worker):
    asked = make_run(levels=[1, 4], repeat=2, requests=None)
    claimed = asked, asked.claim(worker, later(1))
    pair = [repetition(4, [request(ttft_ms=ms)]) for ms in (100.0, 300.0)]
    run = measured(claimed, one_level(1), level(4, *pair))
    page = at_alice.get(at("run", run)).text
    linked = re.findall(r'href="([^"]*bench\.json[^"]*)">([^<]*)</a>', page)
    assert [words.replace("\u00a0", " ") for _, words in linked] == [
        "1 user",
        "4 users, repetition 1",
        "4 users, repetition 2",
    ]
    given = [at_alice.get(unescape(address)) for address, _ in linked]
    assert [one.json()["mean_ttft_ms"] for one in given] == [300.0, 100.0, 300.0]
    assert len({one["Content-Disposition"] for one in given}) == 3


def test_what_was_not_measured_is_not_there(at_alice, claimed, make_run):
    assert bench(at_alice, make_run()).status_code == 404
    run = measured(claimed, one_level(4))
    for query in ({"level": "16"}, {"repetition": "1"}):
        assert bench(at_alice, run, **query).status_code == 404
    assert bench(at_alice, run, level="x").status_code == 404
    # Nonsense means the first.
    assert bench(at_alice, run, repetition="-1").status_code == 200


def test_a_level_of_failures_has_null_and_not_zero(at_alice, claimed):
    failed = level(4, repetition(4, [request(status="failed")] * 2))
    told = bench(at_alice, measured(claimed, failed)).json()
    assert (told["completed"], told["duration"]) == (0, None)
    assert told["output_throughput"] is None
    assert {told[name] for name in STATISTICS} == {None}


def test_it_is_the_owners_alone(client, bob, claimed):
    run = measured(claimed, one_level())
    client.force_login(bob)
    assert bench(client, run).status_code == 404
    assert Run.objects.count() == 1
