import json
from dataclasses import replace

import pytest

from interview.measure.level import level_summary
from interview.measure.load import Level
from interview.measure.measured import Measured
from interview.measure.notes import LEVEL_NOTES, NOTES, REQUEST_NOTES
from interview.measure.report import report
from interview.measure.result import faults
from interview.measure.target import target
from interview.measure.workload import Load, Neighbours, Plan
from tests.measure.results import beside, done, failed
from tests.measure.streams import BASE, decode

LOAD = Load(users=1, requests=4, max_tokens=3)
NONE = {"p50": None, "p90": None, "p99": None, "mean": None, "max": None, "n": 0}


BESIDE = replace(LOAD, neighbours=Neighbours(2, 4000, 1, 20))


def level(*results, stopped=False, timed_out=False, neighbours=()):
    return Level(results, stopped, timed_out, neighbours)


def summary(*results, load=LOAD, lags_ns=(), **ends):
    return level_summary(load, level(*results, **ends), lags_ns)


def test_row_176_a_level_of_failures_has_counts_and_nulls():
    found = summary(*[failed(0, 1)] * 3)
    assert (found["completed"], found["failed"]) == (0, 3)
    for name in ("ttft_ms", "itl_ms", "tpot_ms", "e2e_ms"):
        assert found[name] == NONE
    for name in ("output_tokens_per_s", "steady_tokens_per_s", "tokens_per_event"):
        assert found[name] is None


def test_row_8_requests_without_a_token_give_no_sample():
    found = summary(done(0, 100, 140), failed(0, 50, error="0 tokens"))
    assert found["ttft_ms"]["n"] == 1
    assert found["ttft_ms"]["p50"] == 100


def test_row_113_partial_tokens_of_a_failed_request_are_in_no_number():
    cut = replace(decode(BASE), status="failed", error="broke")
    found = summary(done(0, 100, 140), cut)
    assert found["tokens"] == 2
    assert found["itl_ms"]["n"] == 1


def test_gaps_are_pooled_over_requests_and_tpot_is_per_request():
    found = summary(done(0, 100, 110, 120), done(0, 100, 140))
    assert found["itl_ms"]["n"] == 3
    assert found["itl_ms"]["mean"] == 20
    assert found["tpot_ms"]["mean"] == 25


def test_each_latency_has_its_largest_value():
    found = summary(done(0, 100, 110, 150), done(0, 300, 320))
    assert found["itl_ms"]["max"] == 40
    assert found["ttft_ms"]["max"] == 300


def test_neighbours_are_in_no_number_but_their_own():
    of_first = beside(0, done(0, 900, user=1), failed(0, 50, user=2))
    found = summary(done(0, 100, 140), load=BESIDE, neighbours=of_first)
    assert found["neighbour_ttft_ms"]["p50"] == 900
    assert found["neighbour_ttft_ms"]["n"] == 1
    alone = summary(done(0, 100, 140), load=BESIDE)
    assert alone["neighbour_ttft_ms"] == NONE
    own = ("neighbour_ttft_ms", "notes")
    assert {k: v for k, v in found.items() if k not in own} == {
        k: v for k, v in alone.items() if k not in own
    }
    assert summary(done(0, 100, 140))["neighbour_ttft_ms"] is None


def test_neighbours_that_are_missing_or_failed_are_said():
    one, two = done(0, 900, user=1), done(0, 950, user=2)
    for neighbours, is_said in (
        (beside(0, one, two), False),
        (beside(0, one), True),
        (beside(0, one, failed(0, 50, user=2)), True),
    ):
        found = summary(done(0, 100, 140), load=BESIDE, neighbours=neighbours)
        assert ("neighbours-missing" in found["notes"]) is is_said
    assert "neighbours-missing" not in summary(done(0, 100, 140))["notes"]


def test_the_report_has_neighbours_with_the_stream_they_were_beside():
    (repetition,) = Plan((BESIDE,)).repetitions()
    neighbours = beside(1, replace(done(5, 900, 940, user=2), texts=("long",)))
    results = level(done(0, 100, 140), done(0, 100, 140), neighbours=neighbours)
    one = Measured(repetition, results, level_summary(BESIDE, results, []))
    told = report(target("http://h:1", "m"), None, Plan((BESIDE,)), [one], 0)
    (found,) = told["neighbours"]
    assert (found["of"], found["user"], found["ttft_ms"]) == (1, 2, 895)
    assert (found["sent_ms"], found["events"]) == (5, 2)
    assert (found["text"], found["itl_ms"], found["event_tokens"]) == ("", [], [])
    assert set(found) == {*told["requests"][0], "of"}
    assert told["load"]["neighbours"] == {
        "requests": 2,
        "prompt_tokens": 4000,
        "max_tokens": 1,
        "after_tokens": 20,
    }
    assert told["load"]["reached_users"] == 2


def test_gaps_per_token_are_given_when_events_hold_several():
    found = summary(done(0, 100, 200, n=5))
    assert found["tokens_per_event"] == 5
    assert "several-tokens-per-event" in found["notes"]
    assert found["itl_per_token_ms"]["n"] == 9
    assert found["itl_per_token_ms"]["mean"] == found["tpot_ms"]["mean"]
    assert summary(done(0, 100, 200))["itl_per_token_ms"] is None


def test_row_149_a_late_loop_marks_the_level():
    calm = summary(done(0, 100, 140), lags_ns=[1_000_000] * 100)
    late = summary(done(0, 100, 140), lags_ns=[5_000_000] * 100)
    assert "loop-lag" not in calm["notes"]
    assert "loop-lag" in late["notes"]
    assert late["loop_lag_ms"] == {"p50": 5, "p99": 5}


def test_rows_165_166_answers_shorter_than_asked_are_said():
    found = summary(done(0, 100, 140))
    assert (found["tokens_mean"], "short-output" in found["notes"]) == (2, True)
    natural = replace(LOAD, ignore_eos=False)
    assert "short-output" not in summary(done(0, 1, 2), load=natural)["notes"]


def test_row_155_a_gap_of_exactly_40_ms_is_pointed_out():
    assert "gap-of-40-ms" in summary(done(0, 100, 140))["notes"]
    assert "gap-of-40-ms" not in summary(done(0, 100, 145))["notes"]


def test_row_161_prompts_from_the_cache_are_said():
    warm = summary(done(0, 100, cached=96))
    assert (warm["cached_tokens"], warm["prompt_tokens"]) == (96, 100)
    assert "cached-prompts" in warm["notes"]
    assert "cached-prompts" not in summary(done(0, 100, cached=5))["notes"]
    assert summary(done(0, 100))["cached_tokens"] is None


@pytest.mark.parametrize(
    ("ends", "code"),
    [({"stopped": True}, "stopped"), ({"timed_out": True}, "time-limit")],
)
def test_an_early_end_is_said(ends, code):
    assert code in summary(done(0, 100, 140), **ends)["notes"]


def test_users_that_were_not_reached_are_said():
    two = replace(LOAD, users=2)
    apart = summary(done(0, 100), done(200, 300), load=two)
    assert "users-not-reached" in apart["notes"]
    together = summary(done(0, 100), done(0, 100, user=1), load=two)
    assert "users-not-reached" not in together["notes"]


def test_a_p99_of_few_values_is_marked():
    few = done(0, 100, 140)
    many = done(0, *range(100, 300))
    assert "few-values" in summary(few)["notes"]
    assert "few-values" in summary(*[many] * 99)["notes"]
    assert "few-values" not in summary(*[many] * 100)["notes"]


def test_the_self_check_finds_gaps_and_tokens_that_do_not_add_up():
    right = decode(BASE)
    assert faults(right) == ()
    assert faults(replace(right, e2e_ns=right.e2e_ns + 1_000)) == ()
    assert faults(replace(right, e2e_ns=right.e2e_ns + 1_001)) == ("itl-sum",)
    assert faults(replace(right, tokens=9)) == ("token-sum",)


def test_the_report_is_json_with_nulls_for_what_is_missing():
    to = target("http://h:1/v1", "m", api_key="secret")
    results = level(decode(BASE), failed(0, 9))
    plan = Plan((LOAD,))
    (repetition,) = plan.repetitions()
    found = level_summary(LOAD, results, [], ["prompt-estimated"])
    one = Measured(repetition, results, found, warmups=[decode(BASE)])
    told = report(to, None, plan, [one], 0)
    text = json.dumps(told, allow_nan=False)
    assert "secret" not in text
    assert told["format"] == "prefill-measure/1"
    assert told["target"]["url"] == "http://h:1"
    assert told["load"]["reached_users"] == 2
    good, bad = told["requests"]
    assert good["ttft_ms"] == 250
    assert good["itl_ms"] == [40] * 7
    assert good["event_tokens"] == [1] * 8
    assert good["text"] == "wwwwwwww"
    assert bad["status"] == "failed"
    assert bad["error"] == "HTTP 500"
    for name in ("ttft_ms", "e2e_ms", "tpot_ms", "tokens", "first_event_tokens"):
        assert bad[name] is None
    assert len(told["warmup"]) == 1
    assert told["summary"]["notes"][0] == "prompt-estimated"


def test_every_note_has_a_sentence():
    for code, sentence in NOTES.items():
        assert code == code.lower().replace(" ", "-")
        assert sentence[0].isupper()
        assert sentence.endswith(".")
    assert set(NOTES) == set(REQUEST_NOTES) | set(LEVEL_NOTES)
