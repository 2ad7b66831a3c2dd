"""The numbers that claims compare, from the report of a run."""

import pytest

from interview.lab.results.figures import figures_of
from interview.lab.results.spoilers import WORDS
from interview.lab.runs.spec import Spec
from tests.lab.loads import level, repetition, report, request, told

SPEC = Spec("", prompt_tokens=64, requests=None)
SAME = Spec("", prompt_tokens=64, requests=None, fresh_prompt=False)


def figures(*levels, asked=SPEC):
    return figures_of(report(*levels), asked)


def one_user(*requests, beside=(), **changes):
    """A level of one repetition by one user."""
    repeated = repetition(1, list(requests), **changes)
    return level(1, repeated | {"neighbours": list(beside)}, **changes)


def beside(of, ttft_ms=500.0, status="completed"):
    return request(status=status, ttft_ms=ttft_ms) | {"of": of}


def values(*requests, **changes):
    return figures(one_user(*requests, **changes))["1"]["values"]


def spoiled(*requests, asked=SPEC, **changes):
    return figures(one_user(*requests, **changes), asked=asked)["1"]["spoiled"]


def test_a_value_is_that_of_all_requests_together():
    gaps = {"p50": 30.0, "p90": 31.0, "p99": 90.0, "mean": 33.0, "max": 95.0, "n": 20}
    found = values(request(), itl_ms=gaps, ttft_ms=told(257.0), rate=29.5)
    assert {metric: value for metric, (value, *_) in found.items()} == {
        "ttft_ms": 257.0,
        "tpot_ms": 30.0,
        "itl_p50_ms": 30.0,
        "itl_p99_ms": 90.0,
        "itl_max_ms": 95.0,
        "e2e_ms": 500.0,
        "output_tokens_per_s": 29.5,
    }


def test_one_request_has_no_spread():
    assert values(request())["ttft_ms"] == [200.0, None, None]


def test_several_requests_of_one_user_are_the_spread():
    found = values(request(ttft_ms=180.0), request(ttft_ms=230.0))
    assert found["ttft_ms"] == [200.0, 180.0, 230.0]


def test_a_request_has_gaps_and_a_rate_of_its_own():
    quick, slow = ([10.0] * 9 + [last] for last in (40.0, 90.0))
    gaps = {"p50": 10.0, "p90": 10.0, "p99": 70.0, "mean": 16.0, "max": 90.0, "n": 20}
    found = values(
        request(itl_ms=quick, e2e_ms=400.0),
        request(itl_ms=slow, e2e_ms=500.0),
        itl_ms=gaps,
        rate=24.0,
    )
    assert found["itl_max_ms"] == [90.0, 40.0, 90.0]
    assert found["itl_p99_ms"] == [70.0, pytest.approx(37.3), pytest.approx(82.8)]
    assert found["output_tokens_per_s"] == [24.0, 22.0, 27.5]


def test_requests_of_several_users_are_no_spread():
    repeated = repetition(4, [request(ttft_ms=ttft) for ttft in (180.0, 900.0)])
    assert figures(level(4, repeated))["4"]["values"]["ttft_ms"][1:] == [None, None]


def test_repetitions_are_the_spread_when_there_are_several():
    each = [
        repetition(1, [request(ttft_ms=1.0), request(ttft_ms=999.0)], ttft_ms=told(p50))
        for p50 in (190.0, 200.0, 240.0)
    ]
    found = figures(level(1, *each))["1"]["values"]
    assert found["ttft_ms"] == [200.0, 190.0, 240.0]


def test_a_repetition_that_was_cut_is_no_part_of_the_spread():
    whole = [
        repetition(1, [request()], ttft_ms=told(p50), notes=[])
        for p50 in (190.0, 210.0)
    ]
    cut = repetition(1, [request()], ttft_ms=told(900.0), notes=["stopped"])
    found = figures(level(1, *whole, cut, notes=["stopped"]))["1"]
    assert found["values"]["ttft_ms"] == [200.0, 190.0, 210.0]
    assert found["spoiled"] == []


def test_neighbours_are_pooled_by_the_request_they_stand_beside():
    found = values(
        request(),
        request(),
        beside=[beside(0, 500.0), beside(0, 700.0), beside(1, 650.0)],
        neighbour_ttft_ms=told(620.0),
    )
    assert found["neighbour_ttft_ms"] == [620.0, 600.0, 650.0]


def test_what_the_report_lacks_is_left_out():
    found = values(request(), itl_ms=None, rate=None, tpot_ms=told(None, 0))
    assert set(found) == {"ttft_ms", "e2e_ms"}


def test_a_load_is_told_by_its_name_and_else_by_its_users():
    found = figures(one_user(request()) | {"name": "long"}, level(4, repetition(4, [])))
    assert list(found) == ["long", "4"]


def test_the_report_of_one_request_has_figures_too():
    flat = {
        "format": "prefill-measure/1",
        **repetition(1, [request()]),
    }
    assert figures_of(flat, SPEC)["1"]["values"]["ttft_ms"] == [200.0, None, None]


def test_a_run_without_a_report_has_no_figures():
    assert figures_of({}, SPEC) == {}


def test_a_clean_load_is_not_spoiled():
    assert spoiled(request()) == []


@pytest.mark.parametrize("status", ["failed", "incomplete"])
def test_a_request_without_its_answer_spoils_a_load(status):
    assert spoiled(request(), request(status=status)) == ["failed-requests"]


@pytest.mark.parametrize(
    "note",
    [
        "other-traffic",
        "users-not-reached",
        "short-output",
        "loop-lag",
        "several-tokens-per-event",
    ],
)
def test_what_spoils_a_measurement_spoils_its_figures(note):
    assert spoiled(request(), notes=["few-values", note]) == [note]


@pytest.mark.parametrize(
    ("p50", "p99", "codes"),
    [(2.9, 2.9, []), (0.1, 3.1, ["late-p99"]), (3.1, 3.1, ["always-late", "late-p99"])],
)
def test_a_late_client_spoils_the_gaps_that_it_is_late_by(p50, p99, codes):
    assert spoiled(request(), loop_lag_ms={"p50": p50, "p99": p99}) == codes


@pytest.mark.parametrize("note", ["stopped", "time-limit"])
def test_a_load_of_which_nothing_ended_is_cut_short(note):
    assert spoiled(request(), notes=[note]) == ["cut-short"]


@pytest.mark.parametrize("note", ["buffered", "one-piece"])
def test_a_collected_stream_spoils_a_load(note):
    assert spoiled(request(), request(notes=[note])) == ["buffered"]
    assert spoiled(request(), request(), request(notes=[note])) == []


def test_cached_prompts_spoil_a_load_that_asked_for_fresh_ones():
    notes = ["cached-prompts"]
    assert spoiled(request(), notes=notes) == ["cached-prompts"]
    assert spoiled(request(), notes=notes, asked=SAME) == []


def test_each_load_is_held_to_what_was_asked_of_it():
    lengths = {"prompt_tokens": 64, "max_tokens": 11}
    asked = Spec.of_loads(
        [
            {"name": "fresh", **lengths},
            {"name": "again", "fresh_prompt": False, **lengths},
        ]
    )
    cached = one_user(request(), notes=["cached-prompts"])
    found = figures(*(cached | {"name": n} for n in ("fresh", "again")), asked=asked)
    assert found["fresh"]["spoiled"] == ["cached-prompts"]
    assert found["again"]["spoiled"] == []


@pytest.mark.parametrize(("served", "codes"), [(4, []), (3, ["neighbours-missing"])])
def test_neighbours_that_got_no_answer_spoil_a_load(served, codes):
    beside = {"requests": 2, "prompt_tokens": 64, "max_tokens": 1, "after_tokens": 3}
    load = {"name": "1", "prompt_tokens": 64, "max_tokens": 11, "neighbours": beside}
    both = [request(), request()]
    waits = told(500.0, n=served)
    asked = Spec.of_loads([load])
    assert spoiled(*both, asked=asked, neighbour_ttft_ms=waits) == codes


def test_a_load_that_nobody_asked_for_is_held_to_nothing():
    level_of_two = level(2, repetition(2, [request()], notes=["cached-prompts"]))
    assert figures(level_of_two)["2"]["spoiled"] == []


def test_every_spoiler_is_said_in_words():
    assert all(words and not words.endswith(".") for words in WORDS.values())
