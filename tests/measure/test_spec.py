"""Spec mode is a contract with whoever starts the measurement as a child."""

import os
import socket
import threading
import time
from itertools import pairwise

import pytest

from tests.measure.asking import HELLO, MODELS, NOTHING, VERSION, answering, streaming
from tests.measure.child import Child
from tests.measure.raw_server import RawServer
from tests.measure.streams import D, R, T, Th, U, every

GOOD = streaming(
    every(10, 20, R + Th("hm"), T("a"), T("b", "length") + U(3) + D),
)
ENDLESS = streaming([(10, R + T("a")), *every(20, 30, *[T("b")] * 1000)])


def spec(server, **fields):
    return {"url": server.url, "model": "m", "prompt": "hi"} | fields


def of_kind(events, kind):
    return [event for event in events if event["k"] == kind]


def test_a_run_is_told_from_hello_to_report():
    with (
        RawServer(*HELLO, GOOD) as server,
        Child(spec(server, requests=2, warmup=1)) as child,
    ):
        events = child.rest()
        assert child.status() == 0
    kinds = [event["k"] for event in events]
    assert kinds[:2] == ["phase", "hello"]
    assert kinds[-1] == "report"
    hello = events[1]
    assert (hello["format"], hello["engine"]) == ("prefill-measure/1", "vllm 0.31.0")
    stages = [e["phase"] for e in of_kind(events, "phase") if e["stream"] is None]
    assert stages == ["preparing", "warming-up", "measuring"]
    phases = [e["phase"] for e in of_kind(events, "phase") if e["stream"] == 1]
    assert phases == ["connecting", "sent", "accepted", "first-token"]
    tokens = [
        (e["n"], e["text"], e["channel"])
        for e in of_kind(events, "tokens")
        if e["stream"] == 0
    ]
    assert tokens == [(1, "hm", "reasoning"), (1, "a", "content"), (1, "b", "content")]
    requests = of_kind(events, "request")
    assert [(r["stream"], r["warmup"]) for r in requests] == [
        (0, True),
        (0, False),
        (1, False),
    ]
    assert [e["state"] for e in of_kind(events, "level")] == ["started", "ended"]
    told = events[-1]["report"]
    assert told["requests"] == [r["request"] for r in requests if not r["warmup"]]
    assert told["summary"] == of_kind(events, "level")[1]["summary"]
    assert all(isinstance(event["t_us"], int) for event in events)


def test_times_of_events_are_those_of_the_report():
    with (
        RawServer(*HELLO, GOOD) as server,
        Child(spec(server, requests=1, warmup=0)) as child,
    ):
        events = child.rest()
    (request,) = events[-1]["report"]["requests"]
    sent = next(e for e in of_kind(events, "phase") if e["phase"] == "sent")
    first, *_, last = of_kind(events, "tokens")
    assert abs(sent["t_us"] - request["sent_ms"] * 1000) <= 1
    assert abs(first["t_us"] - sent["t_us"] - request["ttft_ms"] * 1000) <= 1.5
    assert abs(last["t_us"] - sent["t_us"] - request["e2e_ms"] * 1000) <= 1.5


@pytest.mark.parametrize("how", ["stdin", "SIGTERM", "SIGINT"])
def test_row_183_a_stop_closes_the_connection_at_the_server(how):
    with (
        RawServer(*HELLO, ENDLESS) as server,
        Child(spec(server, requests=4, warmup=0)) as child,
    ):
        events = child.until(lambda event: event["k"] == "tokens")
        if how == "stdin":
            child.stop()
        else:
            os.kill(child.process.pid, 15 if how == "SIGTERM" else 2)
        assert server.served[3].gone.wait(1)
        events += child.rest()
        assert child.status() == 0
    told = events[-1]["report"]
    assert [r["status"] for r in told["requests"]] == ["cancelled"]
    assert told["requests"][0]["tokens"] > 0
    assert "stopped" in told["summary"]["notes"]


def test_a_stop_before_first_contact_still_reports():
    silent = answering(200, b"{}", at=30_000)
    with RawServer(silent) as server, Child(spec(server)) as child:
        child.until(lambda event: event["k"] == "phase")
        child.stop()
        told = child.rest()[-1]["report"]
        assert child.status() == 0
    assert told["requests"] == []
    assert told["summary"]["notes"] == ["stopped"]


def test_the_time_limit_ends_the_level():
    with (
        RawServer(*HELLO, ENDLESS) as server,
        Child(spec(server, warmup=0, max_seconds=0.3)) as child,
    ):
        told = child.rest()[-1]["report"]
        assert server.served[3].gone.wait(1)
    assert "time-limit" in told["summary"]["notes"]
    assert told["requests"][0]["status"] == "cancelled"


def test_a_stalled_reader_does_not_hold_up_the_measurement():
    tokens = every(5, 20, *[T("x" * 2_000)] * 200)
    steps = streaming([(10, R), *tokens, (1_030, T("b", "length") + U(201) + D)])
    with (
        RawServer(*HELLO, steps) as server,
        Child(spec(server, requests=1, warmup=0)) as child,
    ):
        while len(server.served) < 4:
            time.sleep(0.01)
        served = server.served[3]
        while len(served.sent) < len(steps):
            time.sleep(0.05)
        time.sleep(0.2)  # nothing was read so far; the pipe holds 64 KiB
        (request,) = child.rest()[-1]["report"]["requests"]
    assert request["status"] == "completed"
    span_ms = (served.sent[-1].at_ns - served.sent[2].at_ns) / 1e6
    assert request["e2e_ms"] - request["ttft_ms"] == pytest.approx(span_ms, abs=50)
    sent_ms = [part.at_ns / 1e6 for part in served.sent[2:-1]]
    # A server that the machine held up sends in bunches itself.
    if min(later - sooner for sooner, later in pairwise(sent_ms)) > 1:
        assert "buffered" not in request["notes"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"nonsense\n", "JSON"),
        (b"[1]\n", "JSON object"),
        (b"\n", "JSON"),
        ({"model": "m"}, "no HTTP address"),
        ({"url": "http://h:1", "model": "m", "user": 3}, "'user'"),
        ({"url": "http://h:1", "model": "m", "users": 257}, "users"),
        ({"url": "http://h:1", "model": "m", "timeout": "5"}, "timeout"),
        ({"url": "http://h:1", "model": "m", "headers": {"A": "b\nc"}}, "header A"),
    ],
)
def test_a_wrong_spec_is_one_error_line(line, said):
    with Child(line) as child:
        (event,) = child.rest()
        assert child.status() == 2
    assert (event["k"], event["code"]) == ("error", "usage")
    assert said in event["text"]


def test_no_server_is_an_error_line_and_exit_status_3():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Child({"url": url, "model": "m"}) as child:
            events = child.rest()
            assert child.status() == 3
    assert (events[-1]["k"], events[-1]["code"]) == ("error", "endpoint")
    assert "Could not connect" in events[-1]["text"]


def test_an_unknown_model_is_a_failed_request_without_warm_up():
    missing = answering(404, b'{"error":{"message":"The model `x` does not exist."}}')
    with (
        RawServer(MODELS, VERSION, NOTHING, missing) as server,
        Child(spec(server, model="x", warmup=0, requests=1)) as child,
    ):
        told = child.rest()[-1]["report"]
        assert child.status() == 0
    assert told["requests"][0]["error"] == (
        "HTTP 404: The model `x` does not exist. Models here: m."
    )


def test_64_users_are_in_flight_at_once():
    steps = streaming(every(20, 800, R + T("a"), *[T("b")] * 3, T("c", "stop") + D))
    with (
        RawServer(*HELLO, steps) as server,
        Child(spec(server, users=64, requests=64, warmup=0)) as child,
    ):
        told = child.rest()[-1]["report"]
        assert server.peak_open >= 64
    assert told["load"]["reached_users"] == 64
    assert told["summary"]["completed"] == 64
    assert told["summary"]["loop_lag_ms"]["p99"] is not None


def test_row_210_a_stop_leaves_no_connection():
    with (
        RawServer(*HELLO, *[NOTHING] * 200, ENDLESS) as server,
        Child(spec(server, users=200, requests=200, warmup=0)) as child,
    ):
        while len(server.served) < 3 + 200 + 200:
            time.sleep(0.02)
        child.stop()
        told = child.rest()[-1]["report"]
        assert server.wait_until_all_closed(1)
    assert told["summary"]["cancelled"] == len(told["requests"]) > 0


def test_a_reader_that_never_comes_back_fails_the_run():
    mebibyte = T("x" * 2**20)
    flood = streaming([(10, R), *every(5, 20, *[mebibyte] * 80), (60_000, D)])
    with (
        RawServer(*HELLO, flood) as server,
        Child(spec(server, requests=1, warmup=0)) as child,
    ):
        while len(server.served) < 4:
            time.sleep(0.02)
        assert server.served[3].gone.wait(30)
        events = child.rest()
        assert child.status() == 1
    assert (events[-1]["k"], events[-1]["code"]) == ("error", "reader")
    assert "64 MB" in events[-1]["text"]


def test_a_gone_reader_stops_the_run():
    with (
        RawServer(*HELLO, ENDLESS) as server,
        Child(spec(server, warmup=0)) as child,
    ):
        child.until(lambda event: event["k"] == "tokens")
        threading.Thread(target=child.process.stdout.close).start()
        assert server.served[3].gone.wait(5)
        assert child.process.wait(20) == 1
