"""Named loads and neighbours as whole measurements, at a raw and a simulated server."""

import json
import re

import pytest

from interview.measure.statistics import percentile
from tests.measure.asking import HELLO, NOTHING, answering, streaming
from tests.measure.child import Child
from tests.measure.raw_server import RawServer
from tests.measure.streams import D, R, T, U, every
from tests.measure.test_series import measure, of_kind
from tests.spark.spark_process import SparkProcess

SPEED = 10
ENDLESS = streaming([(10, R + T("a")), *every(20, 30, *[T("b")] * 1000)])
SHORT = streaming(
    [(10, R + T("a")), *every(20, 30, *[T("b")] * 8), (300, T("c", "stop") + U(10) + D)]
)
BESIDE = {"requests": 2, "prompt_tokens": 20, "max_tokens": 5, "after_tokens": 3}


@pytest.fixture
def spark():
    server = SparkProcess(speed=SPEED)
    yield server
    server.stop()


def measured(server, **spec):
    """The events of a measurement at the simulated server."""
    model = json.loads(server.get("/v1/models"))["data"][0]["id"]
    with Child({"url": server.url, "model": model} | spec) as child:
        events = child.rest()
        assert child.status() == 0, events[-1]
    return events


def test_a_long_neighbour_makes_a_long_gap_in_a_measured_stream(spark):
    events = measured(
        spark,
        loads=[
            {"name": "alone"},
            {
                "name": "beside",
                "neighbours": {
                    "requests": 1,
                    "prompt_tokens": 4000,
                    "after_tokens": 30,
                },
            },
        ],
        prompt_tokens=64,
        max_tokens=64,
        requests=3,
    )
    report = events[-1]["report"]
    alone, beside = report["levels"]
    assert [level["name"] for level in report["levels"]] == ["alone", "beside"]
    assert alone["summary"]["neighbour_ttft_ms"] is None
    assert alone["repetitions"][0]["neighbours"] == []
    assert beside["summary"]["neighbour_ttft_ms"]["n"] == 3
    assert beside["summary"]["ttft_ms"]["n"] == 3
    for level in report["levels"]:
        assert "other-traffic" not in level["summary"]["notes"]
        assert level["repetitions"][0]["engine"]["alone"]
    requests = beside["repetitions"][0]["requests"]
    neighbours = beside["repetitions"][0]["neighbours"]
    assert [n["of"] for n in neighbours] == [0, 1, 2]
    assert {n["prompt_tokens"] for n in neighbours} == {4000}
    assert {n["cached_tokens"] for n in neighbours} == {0}
    usual_ms = alone["summary"]["itl_ms"]["p50"]
    for request, neighbour in zip(requests, neighbours, strict=True):
        stalls, others = gaps_beside(request, neighbour)
        assert max(stalls) > 5 * usual_ms
        assert percentile(others, 50) < 2 * usual_ms
        assert len(others) > 29


def gaps_beside(request, neighbour):
    """Gaps of a stream while a neighbour waited for its first token, and the others."""
    during, others = [], []
    at_ms = request["sent_ms"] + request["ttft_ms"]
    first_ms = neighbour["sent_ms"] + neighbour["ttft_ms"]
    for gap_ms in request["itl_ms"]:
        overlaps = at_ms < first_ms and neighbour["sent_ms"] < at_ms + gap_ms
        (during if overlaps else others).append(gap_ms)
        at_ms += gap_ms
    return during, others


def test_the_same_prompt_twice_hits_the_prefix_cache(spark):
    report = measured(
        spark,
        loads=[{"name": "fresh"}, {"name": "same", "fresh_prompt": False}],
        prompt_tokens=2000,
        max_tokens=4,
        requests=2,
        repeat=2,
    )[-1]["report"]
    fresh, same = (
        [
            request["cached_tokens"]
            for repetition in level["repetitions"]
            for request in repetition["requests"]
        ]
        for level in report["levels"]
    )
    assert fresh == [0] * 4
    assert same == [1984] * 4
    first = report["levels"][1]["repetitions"][0]
    assert [warmup["cached_tokens"] for warmup in first["warmup"]] == [0]
    cold_ms, warm_ms = (
        min(
            request["ttft_ms"]
            for repetition in level["repetitions"]
            for request in repetition["requests"]
        )
        for level in report["levels"]
    )
    assert warm_ms < 0.8 * cold_ms


def spec(server, **fields):
    return {"url": server.url, "model": "m", "prompt": "hi"} | fields


def streams_of(events):
    """Users of each stream that started, and how each ended."""
    lines = of_kind(events, "ticks")
    return (
        {stream: user for line in lines for stream, user, _ in line["starts"]},
        {stream: status for line in lines for stream, status, _ in line["ends"]},
    )


def test_neighbours_are_told_in_ticks_and_use_connections_that_were_open():
    with (
        RawServer(*HELLO, *[NOTHING] * 4, SHORT) as server,
        Child(spec(server, requests=2, warmup=0, neighbours=BESIDE)) as child,
    ):
        events = child.rest()
    starts, ends = streams_of(events)
    assert starts == {0: 0, 1: 0, 2: 1, 3: 2, 4: 1, 5: 2}
    assert ends == dict.fromkeys(range(6), "completed")
    report = events[-1]["report"]
    assert [r["stream"] for r in of_kind(events, "request")] == [0, 1]
    beside = report["neighbours"]
    assert [(n["of"], n["user"]) for n in beside] == [(0, 1), (0, 2), (1, 1), (1, 2)]
    # Those of the second may find connections busy with those of the first.
    assert [n["connect_ms"] for n in beside[:2]] == [None] * 2
    first = report["requests"][0]
    for neighbour, tokens in zip(beside, (3, 6), strict=False):
        after_ms = first["sent_ms"] + first["ttft_ms"]
        after_ms += sum(first["itl_ms"][: tokens - 1])
        assert neighbour["sent_ms"] > after_ms
    level = of_kind(events, "level")[-1]
    assert (level["name"], level["neighbours"]) == (None, 2)
    assert level["summary"] == report["summary"]


def test_a_stop_closes_the_connections_of_neighbours():
    with (
        RawServer(*HELLO, *[NOTHING] * 4, ENDLESS) as server,
        Child(spec(server, requests=2, warmup=0, neighbours=BESIDE)) as child,
    ):
        while len(server.served) < 3 + 4 + 2:
            child.until(lambda event: event["k"] == "ticks")
        child.stop()
        events = child.rest()
        assert child.status() == 0
        assert server.wait_until_all_closed(2)
    report = events[-1]["report"]
    assert [r["status"] for r in report["requests"]] == ["cancelled"]
    assert {n["status"] for n in report["neighbours"]} == {"cancelled"}
    assert "stopped" in report["summary"]["notes"]


@pytest.mark.parametrize("repeat", ["1", "2"])
def test_what_neighbours_were_refused_for_is_in_the_table(tmp_path, repeat):
    path = tmp_path / "loads.json"
    path.write_text(json.dumps([{"name": "beside", "neighbours": BESIDE}]))
    refusing = answering(400, b'{"error":{"message":"The prompt is too long."}}')
    with RawServer(*HELLO, *[NOTHING] * 4, SHORT, refusing) as server:
        told = measure(
            *(server.url, "--model", "m", "--prompt", "hi", "--requests", "1"),
            *("--warmup", "0", "--loads", str(path), "--repeat", repeat),
        )
    assert "error: HTTP 400: The prompt is too long." in told.stdout
    assert "note (beside): Fewer neighbours" in told.stdout


def test_loads_come_from_a_file_and_each_has_its_line(tmp_path):
    path = tmp_path / "loads.json"
    loads = [
        {"name": "alone"},
        {"name": "beside", "neighbours": BESIDE | {"requests": 1}},
    ]
    path.write_text(json.dumps(loads))
    with RawServer(*HELLO, *[NOTHING] * 3, SHORT) as server:
        told = measure(
            *(server.url, "--model", "m", "--prompt", "hi", "--requests", "2"),
            *("--warmup", "0", "--loads", str(path)),
        )
    assert told.returncode == 0, told.stderr
    assert "beside: a prompt (fresh), max_tokens 128; neighbours beside" in told.stdout
    assert "level 2 of 2 (beside), 1 user" in told.stderr
    assert "note (beside): The server has no /tokenize" in told.stdout
    rows = re.findall(r"(?m)^ *(load|alone|beside) ", told.stdout)
    assert rows == ["load", "alone", "beside"] * 2
    wrong = measure("http://h:1", "--model", "m", "--loads", str(tmp_path))
    assert wrong.returncode == 2
    assert "JSON list" in wrong.stderr
