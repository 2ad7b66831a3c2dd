"""Levels and repetitions against a real server, by the command line and by a spec."""

import json
import re
import subprocess
import sys
from itertools import pairwise

from tests.measure.asking import HELLO, MODELS, NOTHING, VERSION, answering, streaming
from tests.measure.child import Child
from tests.measure.raw_server import RawServer
from tests.measure.streams import D, R, T, U, every

GOOD = streaming(every(10, 20, R + T("a"), T("b", "length") + U(2) + D))
ENDLESS = streaming([(10, R + T("a")), *every(20, 30, *[T("b")] * 1000)])
SLOW_START = streaming(
    [(1000, R + T("a")), *every(10, 1010, T("b"), T("c", "length") + U(3) + D)]
)


def measure(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "interview.measure", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def spec(server, **fields):
    return {"url": server.url, "model": "m", "prompt": "hi"} | fields


def of_kind(events, kind):
    return [event for event in events if event["k"] == kind]


def prompts_of(server):
    return [
        json.loads(served.body)["messages"][0]["content"]
        for served in server.served
        if b"/v1/chat/completions" in served.head
    ]


def test_the_json_of_a_series_is_by_level():
    with RawServer(*HELLO, GOOD) as server:
        ran = measure(
            *(server.url, "--model", "m", "--prompt", "hi", "--levels", "1,3"),
            *("--repeat", "2", "--requests", "2,6", "--json", "-"),
        )
        prompts = prompts_of(server)
    assert ran.returncode == 0
    told = json.loads(ran.stdout)
    assert told["format"] == "prefill-measure/1"
    assert [level["users"] for level in told["levels"]] == [1, 3]
    for level, requests in zip(told["levels"], (2, 6), strict=True):
        assert level["summary"]["completed"] == 2 * requests
        assert level["load"]["reached_users"] == level["users"]
        band = level["summary"]["bands"]["ttft_ms"]
        assert 0 < band["low"] <= band["median"] <= band["high"]
        seeds = [one["load"]["seed"] for one in level["repetitions"]]
        warmups = [len(one["warmup"]) for one in level["repetitions"]]
        assert (seeds, warmups) == ([1, 2], [min(level["users"], 4), 0])
        texts = {r["text"] for one in level["repetitions"] for r in one["requests"]}
        assert texts == {"ab"}
    # Row 161: no prompt comes twice, in no level and in no repetition.
    assert len(prompts) == len(set(prompts)) == 2 * 2 + 2 * 6 + 1 + 3
    firsts = [re.split(r"\W", prompt)[0] for prompt in prompts]
    assert len(set(firsts)) == len(firsts)
    assert "level 2 of 2, 3 users, repetition 2 of 2: 6 requests" in ran.stderr


def test_the_table_of_a_series_has_a_line_per_level():
    with RawServer(*HELLO, GOOD) as server:
        ran = measure(
            *(server.url, "--model", "m", "--prompt", "hi", "--levels", "1,2"),
            *("--repeat", "2", "--requests", "2", "--limits", "ttft=900,tpot=500"),
        )
    assert ran.returncode == 0
    rows = re.findall(r"(?m)^ +(\d+) .*\[.*-.*\]", ran.stdout)
    assert rows == ["1", "2", "1", "2"]
    assert "(E2E - TTFT) / (N - 1)" in ran.stdout
    assert "TTFT <= 900 ms and TPOT <= 500 ms" in ran.stdout
    assert max(map(len, ran.stdout.splitlines())) < 130


def test_a_wrong_list_is_exit_status_2():
    for arguments, said in (
        (["--levels", "1,x"], "whole numbers"),
        (["--levels", "1,2", "--users", "3"], "users or levels"),
        (["--limits", "ttft"], "ttft=500"),
        (["--limits", "speed=5"], "speed"),
    ):
        ran = measure("http://h:1", "--model", "m", *arguments)
        assert ran.returncode == 2
        assert said in ran.stderr


def test_a_series_is_told_repetition_by_repetition():
    with (
        RawServer(*HELLO, GOOD) as server,
        Child(spec(server, levels=[1, 2], repeat=2, requests=[1, 4])) as child,
    ):
        events = child.rest()
        assert child.status() == 0
    levels = of_kind(events, "level")
    assert [
        (e["state"], e["index"], e["users"], e["repetition"], e["requests"])
        for e in levels
    ] == [
        (state, index, users, repetition, requests)
        for index, users, requests in ((0, 1, 1), (1, 2, 4))
        for repetition in (0, 1)
        for state in ("started", "ended")
    ]
    assert {(e["levels"], e["repetitions"]) for e in levels} == {(2, 2)}
    started = [e["expected_s"] for e in levels if e["state"] == "started"]
    assert all(seconds > 0 for seconds in started)
    report = events[-1]["report"]
    summaries = [
        one["summary"] for level in report["levels"] for one in level["repetitions"]
    ]
    assert [e["summary"] for e in levels if e["state"] == "ended"] == summaries
    texts = [r["text"] for r in report["levels"][1]["repetitions"][0]["requests"]]
    assert texts == ["ab", "", "", ""]


def test_ticks_have_every_token_of_every_stream():
    with (
        RawServer(*HELLO, GOOD) as server,
        Child(spec(server, users=3, requests=6, warmup=0)) as child,
    ):
        events = child.rest()
    requests = events[-1]["report"]["requests"]
    origin_us = [round(request["sent_ms"] * 1000) for request in requests]
    lines = of_kind(events, "ticks")
    starts, ends, tokens = {}, {}, {}
    for line in lines:
        for stream, user, dt_us in line["starts"]:
            assert dt_us <= 0
            starts[stream] = (user, line["t_us"] + dt_us)
        for stream, status, dt_us in line["ends"]:
            ends[stream] = (status, dt_us <= 0)
        for stream, n, dt_us in line["ticks"]:
            tokens.setdefault(stream, []).append((n, line["t_us"] + dt_us))
    assert set(starts) == set(ends) == set(tokens) == set(range(6))
    for stream, request in enumerate(requests):
        user, at_us = starts[stream]
        assert user == request["user"]
        assert abs(at_us - origin_us[stream]) <= 1
        assert ends[stream] == ("completed", True)
        assert [n for n, _ in tokens[stream]] == request["event_tokens"]
        first_us = tokens[stream][0][1] - at_us
        assert abs(first_us - request["ttft_ms"] * 1000) <= 2
    for before, after in pairwise(lines):
        assert after["t_us"] > before["t_us"]
    told = of_kind(events, "request")
    assert {e["stream"] for e in told if e["request"].get("brief")} == set(range(1, 6))


def test_rows_130_to_133_as_many_are_in_flight_as_there_are_users():
    opening = [NOTHING] * 128
    with (
        RawServer(*HELLO, *opening, SLOW_START) as server,
        Child(spec(server, levels=[128], requests=128, warmup=0, repeat=1)) as child,
    ):
        report = child.rest()[-1]["report"]
        assert server.peak_open >= 128
    assert report["load"]["reached_users"] == 128
    assert report["summary"]["completed"] == 128
    assert report["summary"]["ttft_ms"]["p50"] >= 990
    # All were opened before: a connect would be time that is not the engine's.
    assert [r["connect_ms"] for r in report["requests"]] == [None] * 128


def test_256_users_are_in_flight_at_once():
    late = streaming([(1500, R + T("a")), (1510, T("b", "length") + U(2) + D)])
    with (
        RawServer(*HELLO, *[NOTHING] * 256, late) as server,
        Child(spec(server, users=256, requests=256, warmup=0)) as child,
    ):
        report = child.rest()[-1]["report"]
    assert report["load"]["reached_users"] == 256
    assert report["summary"]["completed"] == 256


def test_connections_that_the_server_closes_are_opened_again():
    closing = answering(404, b"", "Connection: close")
    with (
        RawServer(*HELLO, *[closing] * 4, GOOD) as server,
        Child(spec(server, users=4, requests=4, warmup=0)) as child,
    ):
        report = child.rest()[-1]["report"]
    assert report["summary"]["completed"] == 4
    assert all(request["connect_ms"] for request in report["requests"])


def test_a_stop_keeps_the_finished_repetitions():
    with (
        RawServer(*HELLO, GOOD, GOOD, ENDLESS) as server,
        Child(spec(server, repeat=3, requests=2, warmup=0)) as child,
    ):
        child.until(lambda e: e["k"] == "level" and e["repetition"] == 1)
        child.until(lambda e: e["k"] == "tokens")
        child.stop()
        events = child.rest()
        assert child.status() == 0
    report = events[-1]["report"]
    (level,) = report["levels"]
    first, second = level["repetitions"]
    assert first["summary"]["completed"] == 2
    assert [r["status"] for r in second["requests"]] == ["cancelled"]
    assert (level["summary"]["completed"], level["summary"]["cancelled"]) == (2, 1)
    assert level["summary"]["bands"]["ttft_ms"]["n"] == 1
    assert report["notes"] == ["stopped"]


def test_a_stop_before_the_first_request_of_a_series_still_reports():
    silent = answering(200, b"{}", at=30_000)
    with RawServer(silent) as server, Child(spec(server, repeat=2)) as child:
        child.until(lambda event: event["k"] == "phase")
        child.stop()
        report = child.rest()[-1]["report"]
        assert child.status() == 0
    assert (report["levels"], report["notes"]) == ([], ["stopped"])


def test_a_level_that_the_server_refuses_keeps_the_one_before():
    refusing = answering(401, b'{"error":"Unauthorized"}')
    with (
        RawServer(*HELLO, GOOD, GOOD, refusing) as server,
        Child(spec(server, levels=[1, 2], requests=[1, 2])) as child,
    ):
        report = child.rest()[-1]["report"]
        assert child.status() == 0
    first, second = report["levels"]
    assert first["summary"]["completed"] == 1
    assert (second["summary"]["completed"], second["summary"]["failed"]) == (0, 2)
    assert second["summary"]["bands"]["ttft_ms"]["median"] is None
    assert "Unauthorized" in second["repetitions"][0]["requests"][0]["error"]


def test_the_time_limit_is_of_each_repetition():
    with (
        RawServer(*HELLO, ENDLESS) as server,
        Child(spec(server, repeat=2, warmup=0, max_seconds=0.3)) as child,
    ):
        report = child.rest()[-1]["report"]
    (level,) = report["levels"]
    assert len(level["repetitions"]) == 2
    assert level["summary"]["cancelled"] == 2
    assert "time-limit" in level["summary"]["notes"]
    assert report["notes"] == []


def test_row_162_hits_and_queries_of_a_repetition_are_told():
    def page(requests, hits):
        return answering(
            200,
            b"vllm:num_requests_running 0\nvllm:num_requests_waiting 0\n"
            b"vllm:prefix_cache_queries_total %d\nvllm:prefix_cache_hits_total %d\n"
            b"vllm:request_prefill_time_seconds_count %d\n"
            % (100 * requests, hits, requests),
        )

    with (
        RawServer(
            *(MODELS, VERSION, page(7, 5), page(7, 5), GOOD, page(8, 69)),
            *(page(8, 69), GOOD, page(9, 69)),
        ) as server,
        Child(spec(server, repeat=2, requests=1, warmup=0)) as child,
    ):
        report = child.rest()[-1]["report"]
    (level,) = report["levels"]
    engines = [one["engine"] for one in level["repetitions"]]
    assert [e["prefix_query_tokens"] for e in engines] == [100, 100]
    assert [e["prefix_hit_tokens"] for e in engines] == [64, 0]
