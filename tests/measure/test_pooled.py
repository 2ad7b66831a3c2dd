import json
from dataclasses import replace

import pytest

from interview.measure.level import level_summary
from interview.measure.load import Level
from interview.measure.measured import Measured
from interview.measure.pooled import pooled_reached_users, pooled_summary
from interview.measure.report import report
from interview.measure.target import target
from interview.measure.workload import Limits, Load, Neighbours, Plan
from tests.measure.results import beside, done, failed

LOAD = Load(users=1, requests=2, max_tokens=2, warmup=0)
EMPTY = {"low": None, "median": None, "high": None, "n": 0}


def measured(*results_of_each, stopped=(), load=LOAD, lags_ns=()):
    """One level: the results of each repetition, and the numbers of those stopped."""
    plan = Plan((load,), repeat=len(results_of_each))
    found = []
    for repetition, results in zip(plan.repetitions(), results_of_each, strict=True):
        level = Level(tuple(results), repetition.number in stopped, timed_out=False)
        summary = level_summary(load, level, lags_ns)
        found.append(Measured(repetition, level, summary, lags_ns=lags_ns))
    return found


def at(ttft, gap, sent=0):
    return done(sent, sent + ttft, sent + ttft + gap)


def test_latencies_are_pooled_over_all_requests():
    found = pooled_summary(measured([at(100, 20), at(200, 20)], [at(600, 50)]))
    assert found["completed"] == 3
    assert (found["ttft_ms"]["p50"], found["ttft_ms"]["n"]) == (200, 3)
    assert found["ttft_ms"]["mean"] == 300
    assert found["itl_ms"]["n"] == 3


def test_bands_are_of_the_medians_of_the_repetitions():
    found = pooled_summary(measured([at(100, 20)], [at(300, 30)], [at(200, 80)]))
    assert found["bands"]["ttft_ms"] == {
        "low": 100,
        "median": 200,
        "high": 300,
        "n": 3,
    }
    assert found["bands"]["tpot_ms"]["high"] == 80
    assert set(found["bands"]) == {
        *("ttft_ms", "tpot_ms", "itl_ms", "e2e_ms", "output_tokens_per_s"),
        "neighbour_ttft_ms",
    }
    assert found["repetitions"] == 3


def test_the_pause_between_repetitions_is_in_no_rate():
    # 2 tokens in 1 s, 0.5 s and 0.25 s, with an hour between.
    repetitions = [
        [done(0, 500, 1000)],
        [done(3_600_000, 3_600_400, 3_600_500)],
        [done(7_200_000, 7_200_100, 7_200_250)],
    ]
    found = pooled_summary(measured(*repetitions))
    assert found["output_tokens_per_s"] == 4
    band = found["bands"]["output_tokens_per_s"]
    assert (band["low"], band["high"]) == (2, 8)


def test_a_stopped_repetition_is_in_no_band_and_no_rate():
    level = measured([done(0, 500, 1000)], [done(0, 50, 100)], stopped=[1])
    found = pooled_summary(level)
    assert found["ttft_ms"]["n"] == 2
    assert (found["bands"]["ttft_ms"]["high"], found["repetitions"]) == (500, 1)
    assert found["output_tokens_per_s"] == 2
    assert "stopped" in found["notes"]


def test_a_level_of_which_nothing_is_whole_has_the_rate_of_its_part():
    found = pooled_summary(measured([done(0, 500, 1000)], stopped=[0]))
    assert found["output_tokens_per_s"] == 2
    assert found["bands"]["output_tokens_per_s"] == EMPTY


def test_row_176_repetitions_of_failures_have_counts_and_nulls():
    found = pooled_summary(measured([failed(0, 1)], [failed(0, 1)] * 2))
    assert (found["completed"], found["failed"]) == (0, 3)
    assert found["output_tokens_per_s"] is None
    assert found["bands"] == dict.fromkeys(found["bands"], EMPTY)
    json.dumps(found, allow_nan=False)


def test_a_note_of_one_repetition_is_one_of_the_level():
    two = Load(users=2, requests=2, max_tokens=2)
    apart = [done(0, 100, 140), done(200, 300, 340)]
    together = [done(0, 100, 140), done(0, 100, 140, user=1)]
    found = pooled_summary(measured(together, apart, load=two))
    assert "users-not-reached" in found["notes"]
    assert pooled_reached_users(measured(together, apart, load=two)) == 1
    found = pooled_summary(measured(together, together, load=two))
    assert "users-not-reached" not in found["notes"]


def test_few_values_is_said_of_the_pooled_numbers():
    half = [done(0, *range(100, 104)) for _ in range(60)]
    assert (
        "few-values"
        in level_summary(LOAD, Level(tuple(half), False, False), [])["notes"]
    )
    assert "few-values" not in pooled_summary(measured(half, half))["notes"]


def test_goodput_is_the_median_of_the_repetitions():
    limited = Load(users=1, requests=1, max_tokens=2, limits=Limits(ttft_ms=600))
    found = pooled_summary(
        measured([done(0, 500, 1000)], [done(0, 100, 250)], load=limited)
    )
    assert found["goodput"]["requests"] == 2
    assert found["goodput"]["requests_per_s"] == 2.5


def test_neighbours_are_pooled_over_the_repetitions():
    load = replace(LOAD, neighbours=Neighbours(1, 4000, 1, 1))
    found = []
    for repetition, ttft in zip(
        Plan((load,), repeat=2).repetitions(), (300, 500), strict=True
    ):
        neighbours = beside(0, done(0, ttft, user=1))
        level = Level((at(100, 20),), False, False, neighbours)
        summary = level_summary(load, level, [])
        found.append(Measured(repetition, level, summary))
    pooled = pooled_summary(found)
    assert (pooled["neighbour_ttft_ms"]["p50"], pooled["ttft_ms"]["n"]) == (400, 2)
    band = pooled["bands"]["neighbour_ttft_ms"]
    assert (band["low"], band["high"], band["n"]) == (300, 500, 2)
    alone = pooled_summary(measured([at(100, 20)], [at(200, 20)]))
    assert alone["neighbour_ttft_ms"] is None
    assert alone["bands"]["neighbour_ttft_ms"] == EMPTY


def told(levels, plan, **options):
    measured_all = [one for level in levels for one in level]
    return report(target("http://h:1", "m"), "e", plan, measured_all, 0, **options)


def test_a_series_is_reported_by_level():
    one = Load(users=1, requests=1, max_tokens=2)
    two = Load(users=2, requests=2, max_tokens=2)
    plan = Plan((one, two), repeat=2)
    results = [
        [at(100, 20)],
        [at(110, 20)],
        [at(300, 40), done(0, 310, 350, user=1)],
        [at(320, 40), done(0, 330, 370, user=1)],
    ]
    found = []
    for repetition, these in zip(plan.repetitions(), results, strict=True):
        level = Level(tuple(these), stopped=False, timed_out=False)
        summary = level_summary(repetition.load, level, [])
        found.append(Measured(repetition, level, summary))
    whole = told([found], plan)
    assert set(whole) == {"format", "target", "notes", "levels"}
    assert [level["users"] for level in whole["levels"]] == [1, 2]
    second = whole["levels"][1]
    assert set(second) == {"name", "users", "load", "summary", "repetitions"}
    assert (second["load"]["reached_users"], second["load"]["repeat"]) == (2, 2)
    assert second["summary"]["completed"] == 4
    assert [r["load"]["seed"] for r in second["repetitions"]] == [1, 2]
    assert [len(r["requests"]) for r in second["repetitions"]] == [2, 2]
    assert whole["notes"] == []
    cut = told([found[:3]], plan)
    assert [len(level["repetitions"]) for level in cut["levels"]] == [2, 1]
    assert cut["notes"] == ["stopped"]
    assert told([], plan)["levels"] == []


def test_a_single_named_load_is_reported_by_level():
    plan = Plan((replace(LOAD, name="alone"),))
    (repetition,) = plan.repetitions()
    level = Level((at(100, 20),), stopped=False, timed_out=False)
    one = Measured(repetition, level, level_summary(repetition.load, level, []))
    (only,) = told([[one]], plan)["levels"]
    assert (only["name"], only["summary"]["completed"]) == ("alone", 1)


@pytest.mark.parametrize(("texts", "right"), [(True, ["w", "w"]), (False, ["w", ""])])
def test_only_stream_0_keeps_its_text_when_texts_are_left_out(texts, right):
    results = [replace(at(100, 20), texts=("w",)) for _ in range(2)]
    level = measured(results, results)
    whole = told([level], Plan((LOAD,), repeat=2), texts=texts)
    for repetition in whole["levels"][0]["repetitions"]:
        assert [request["text"] for request in repetition["requests"]] == right
        assert [len(request["itl_ms"]) for request in repetition["requests"]] == [1, 1]
