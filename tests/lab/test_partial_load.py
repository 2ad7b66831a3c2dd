"""A load without a report is what its ended repetitions prove, and no more."""

from interview.lab.results.load_result import LoadResult
from interview.lab.results.partial_load import partial_load_report
from interview.lab.runs.spec import Spec
from tests.lab.loads import level_event, repetition_events, request

HELLO = {"k": "hello", "t_us": 0, "url": "u", "model": "m", "engine": "vllm 0.31.0"}
ASKED = Spec("Why?", levels=[1, 64], repeat=2, requests=None)


def result(*parts):
    events = [HELLO, *(event for part in parts for event in part)]
    report = partial_load_report(events)
    return report and LoadResult.of(report, ASKED)


def test_a_level_with_one_repetition_has_its_own_numbers():
    found = result(repetition_events(1, [request()] * 4))
    (only,) = found.levels
    assert (only.users, only.completed, only.tpot.p50) == (1, 4, 30.0)
    assert (only.itl.n, only.output_tokens_per_s) == (40, 29.5)
    assert only.bands == {}
    assert found.engine == "vllm 0.31.0"
    assert "With 1 user only 1 of 2 repetitions ended." in found.sentences()
    assert "Not measured: 64 users." in found.sentences()


def test_repetitions_are_pooled_over_their_requests():
    found = result(
        repetition_events(1, [request(ttft_ms=100.0)] * 2, rate=20.0),
        repetition_events(1, [request(ttft_ms=300.0)] * 2, repetition=1, rate=30.0),
    )
    (only,) = found.levels
    assert (only.ttft.p50, only.ttft.n, only.completed) == (200.0, 4, 4)
    assert only.output_tokens_per_s == 25.0
    band = only.bands["output_tokens_per_s"]
    assert (band.low, band.high) == (20.0, 30.0)
    # The gaps themselves are in no event.
    assert only.itl is None
    assert only.tokens_per_event == 1.0


def test_a_repetition_that_had_not_ended_is_left_out():
    begun = [level_event("started", 64), *repetition_events(64, [request()])[1:-1]]
    found = result(repetition_events(1, [request()]), begun)
    assert [level.users for level in found.levels] == [1]


def test_warm_ups_are_no_requests_of_a_level():
    warmup = {"k": "request", "stream": 0, "warmup": True, "request": request()}
    found = result([warmup], repetition_events(1, [request()] * 2))
    assert found.levels[0].requests == 2


def test_of_a_gathering_only_those_count_that_ended_in_the_window():
    """One that ends while the newest stream still waits is of no number of streams."""
    begun, early, first, last, late, end = repetition_events(2, [request()] * 4)
    for event, t_us in ((early, 999), (first, 1_000), (last, 5_000), (late, 5_001)):
        event["t_us"] = t_us
    end |= {"joined": True, "window_us": [1_000, 5_000]}
    told = [HELLO, begun, early, first, last, late, end]
    (level,) = partial_load_report(told)["levels"]
    (repetition,) = level["repetitions"]
    assert len(repetition["requests"]) == 2


def test_no_repetition_no_report():
    assert partial_load_report([HELLO, level_event("started", 1)]) is None


def test_repetitions_of_failures_have_no_numbers():
    failed = [request(status="failed")] * 2
    names = ("rate", "ttft_ms", "tpot_ms", "itl_ms", "e2e_ms", "tokens_per_event")
    nothing = dict.fromkeys(names)
    parts = [repetition_events(1, failed, n, **nothing) for n in range(2)]
    (only,) = result(*parts).levels
    assert (only.completed, only.failed, only.ttft) == (0, 4, None)
    assert (only.output_tokens_per_s, only.bands, only.tokens) == (None, {}, None)


def test_named_loads_of_equal_users_stay_apart():
    events = [
        *repetition_events(1, [request(ttft_ms=100.0)]),
        *repetition_events(1, [request(ttft_ms=400.0)]),
    ]
    for event in events:
        if event["k"] == "level":
            event["name"] = (
                "short" if event is events[0] or event is events[2] else "long"
            )
    report = partial_load_report([HELLO, *events])
    assert [level["name"] for level in report["levels"]] == ["short", "long"]
    waits = [
        level["repetitions"][0]["requests"][0]["ttft_ms"] for level in report["levels"]
    ]
    assert waits == [100.0, 400.0]


def test_a_load_with_neighbours_is_shown_before_its_report_comes():
    events = repetition_events(1, [request()])
    for event in events:
        if event["k"] == "level":
            event |= {"name": "beside", "neighbours": 3}
    (only,) = result(events).levels
    assert only.neighbours == 3
