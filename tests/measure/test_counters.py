import json

import pytest

from interview.measure.counters import counters, engine_view
from tests.measure.asking import MODELS, VERSION, answering, streaming
from tests.measure.child import Child
from tests.measure.raw_server import RawServer
from tests.measure.results import done, failed
from tests.measure.streams import D, R, T, U, every


def page(requests, *, running=0, waiting=0, queue_s=0.0, prefill_s=0.0, ttft_s=0.0):
    def histogram(name, total):
        return (
            f'vllm:{name}_bucket{{le="0.3",model_name="m"}} {requests}\n'
            f'vllm:{name}_sum{{model_name="m",engine="0"}} {total}\n'
            f'vllm:{name}_count{{model_name="m",engine="0"}} {float(requests)}\n'
        )

    return (
        "# HELP vllm:num_requests_running Running.\n"
        f'vllm:num_requests_running{{model_name="m",engine="0"}} {running}\n'
        f'vllm:num_requests_waiting{{model_name="m"}} {waiting}\n'
        'vllm:kv_cache_usage_perc{model_name="m"} 0.25\n'
        'vllm:prefix_cache_hits_total{engine="0"} 1e+02\n'
        'vllm:prefix_cache_hits_total{engine="1"} 11.0\n'
        f"vllm:prefix_cache_hits_created 17\n"
        + histogram("request_queue_time_seconds", queue_s)
        + histogram("request_prefill_time_seconds", prefill_s)
        + histogram("time_to_first_token_seconds", ttft_s)
    ).encode()


BEFORE = counters(page(10, queue_s=1.0, prefill_s=2.0, ttft_s=3.0))


def after(requests=12, **load):
    return counters(page(requests, queue_s=1.4, prefill_s=2.09, ttft_s=3.5, **load))


def test_metrics_are_summed_over_their_labels():
    assert BEFORE.values["vllm:prefix_cache_hits_total"] == 111
    assert BEFORE.gauges == {"running": 0, "waiting": 0, "kv_cache_usage": 0.25}


@pytest.mark.parametrize("other", [b"", b"<html>", b"go_threads 3\n", b"\xff"])
def test_a_page_without_vllms_metrics_has_no_counters(other):
    assert counters(other) is None


def test_the_names_of_older_versions_count_as_those_of_now():
    old = page(1).replace(b"kv_cache_usage", b"gpu_cache_usage")
    old = old.replace(b"prefix_cache_hits", b"gpu_prefix_cache_hits")
    assert counters(old) == counters(page(1))


def test_a_page_with_both_names_is_read_once():
    both = page(1) + b"vllm:gpu_cache_usage_perc 0.75\n"
    assert counters(both).gauges == counters(page(1)).gauges


def test_row_213_means_are_the_difference_of_sums_over_that_of_counts():
    view = engine_view(BEFORE, after(), [done(0, 260), done(0, 264)])
    assert view["alone"]
    assert view["queue_ms"] == 200
    assert view["prefill_ms"] == 45
    assert view["ttft_ms"] == 250
    assert view["rest_ms"] == 12


@pytest.mark.parametrize(
    ("now", "results"),
    [
        (after(13), [done(0, 1), done(0, 1)]),
        (after(running=1), [done(0, 1), done(0, 1)]),
        (after(waiting=1), [done(0, 1), done(0, 1)]),
        (after(13), [done(0, 1), failed(0, 1)]),
        (after(11, running=2), [done(0, 1), failed(0, 1)]),
        (after(12, running=1), [done(0, 1), failed(0, 1)]),
    ],
    ids=["counted", "running", "waiting", "more-counted", "more-running", "both"],
)
def test_times_are_not_split_when_the_server_had_other_requests(now, results):
    view = engine_view(BEFORE, now, results)
    assert not view["alone"]
    assert view["queue_ms"] is view["prefill_ms"] is view["rest_ms"] is None
    assert view["after"] == now.gauges


@pytest.mark.parametrize(
    ("now", "results"),
    [
        (after(), [done(0, 1), done(0, 1), failed(0, 1)]),
        (after(13), [done(0, 1), done(0, 1), failed(0, 1)]),
        (after(running=1), [done(0, 1), done(0, 1), failed(0, 1)]),
        (after(10, running=2), [failed(0, 1), failed(0, 1)]),
        (after(11), [done(0, 1), done(0, 1)]),
    ],
    ids=["failed", "failed-yet-counted", "failed-yet-running", "all", "not-counted"],
)
def test_ours_that_did_not_end_well_are_nobody_elses(now, results):
    view = engine_view(BEFORE, now, results)
    assert view["alone"]
    assert view["queue_ms"] is view["prefill_ms"] is view["rest_ms"] is None


def test_neighbours_are_ours_but_their_times_cannot_be_told_apart():
    view = engine_view(BEFORE, after(), [done(0, 260)], [done(0, 264, user=1)])
    assert view["alone"]
    assert view["queue_ms"] is view["prefill_ms"] is view["rest_ms"] is None
    assert not engine_view(BEFORE, after(13), [done(0, 1)], [done(0, 1)])["alone"]
    assert engine_view(BEFORE, after(), [done(0, 1)], [failed(0, 1)])["alone"]


def test_a_level_that_began_on_a_busy_server_is_not_alone():
    busy = counters(page(10, running=2))
    assert not engine_view(busy, after(), [done(0, 1), done(0, 1)])["alone"]


def test_missing_metrics_are_missing():
    bare = counters(b"vllm:num_requests_running 0\n")
    view = engine_view(bare, bare, [])
    assert view["preemptions"] is view["queue_ms"] is None


def test_the_engines_account_is_read_before_and_after_the_level():
    good = streaming(every(10, 20, R + T("a"), T("b", "length") + U(2) + D))
    first, late, last = (
        answering(200, page(n, queue_s=s)) for n, s in ((4, 1), (4, 1), (5, 1.002))
    )
    with RawServer(MODELS, VERSION, first, first, good, late, last) as server:
        spec = {"url": server.url, "model": "m", "prompt": "hi"}
        with Child(spec | {"requests": 1, "warmup": 0}) as child:
            events = child.rest()
        paths = [served.head.split(b" ")[1].decode() for served in server.served]
    assert paths == [
        "/v1/models",
        "/version",
        "/metrics",
        "/metrics",
        "/v1/chat/completions",
        "/metrics",
        "/metrics",
    ]
    assert [event["k"] for event in events].count("gauge") == 2
    told = events[-1]["report"]
    assert told["engine"]["alone"]
    assert told["engine"]["queue_ms"] == pytest.approx(2)
    assert "other-traffic" not in told["summary"]["notes"]
    assert json.dumps(told, allow_nan=False)
