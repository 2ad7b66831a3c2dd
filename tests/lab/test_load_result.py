"""What a load's page shows, from its report; what is missing is None, never 0."""

import pytest

from interview.lab.results.level_result import Band
from interview.lab.results.load_result import LoadResult
from interview.lab.runs.spec import Spec
from tests.lab.loads import level, repetition, report, request, told

ENGINE = {"queue_ms": 10.0, "prefill_ms": 150.0, "rest_ms": 40.0, "preemptions": 0.0}


def asked(*levels, repeat=1, **spec):
    return Spec("Why?", levels=list(levels), repeat=repeat, requests=None, **spec)


def many(users, count=4, **changes):
    return level(users, repetition(users, [request()] * count), **changes)


def result(*levels, spec=None):
    users = [one["users"] for one in levels]
    return LoadResult.of(report(*levels), spec or asked(*users))


def test_the_two_factors_are_said_in_one_sentence():
    few = many(1, rate=29.5, tpot_ms=told(32.3))
    loaded = many(64, rate=239.3, tpot_ms=told(243.8))
    assert result(few, many(4), loaded).sentences() == (
        "64 users got 8.1 times the output of one; "
        "each waited 7.5 times as long per token.",
    )


def test_a_load_without_a_single_user_compares_its_fewest():
    found = result(many(4, rate=50.0), many(16, rate=100.0))
    assert found.sentences()[0].startswith("16 users got 2.0 times the output of 4 u")


def test_one_level_has_nothing_to_compare():
    assert result(many(64)).sentences() == ()


def test_outputs_within_their_spread_are_no_result():
    ranges = [(28.0, 30.0, 33.0), (32.0, 34.0, 36.0)]
    levels = [
        many(users, bands={"output_tokens_per_s": band(*ends)}, rate=ends[1])
        for users, ends in zip((1, 2), ranges, strict=True)
    ]
    assert "no result" in result(*levels).sentences()[1]


def band(low, median, high, n=3):
    return {"low": low, "median": median, "high": high, "n": n}


def test_bands_are_those_that_several_repetitions_have():
    bands = {
        "ttft_ms": band(190.0, 200.0, 260.0),
        "tpot_ms": band(30.0, 30.0, 30.0, n=1),
        "itl_ms": band(None, None, None, n=0),
        "e2e_ms": None,
    }
    (found,) = result(many(1, bands=bands)).levels
    assert found.bands == {"ttft_ms": Band(190.0, 200.0, 260.0)}


def test_a_level_whose_requests_all_failed_is_a_row_with_none_completed():
    failed = [request(status="failed")] * 4
    nothing = {"rate": None, "tpot_ms": told(None, 0), "ttft_ms": told(None, 0)}
    found = result(many(1), level(64, repetition(64, failed), **nothing))
    row = found.level(64)
    assert (row.completed, row.failed, row.tpot, row.ttft) == (0, 4, None, None)
    assert row.output_tokens_per_s is None
    assert found.sentences() == (
        "With 64 users no request was completed: HTTP 500: broken.",
    )


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        (["failed"], "With 8 users 1 of 2 requests was not completed: HTTP 500: bro"),
        (["failed"] * 2, "With 8 users 2 of 3 requests were not completed: HTTP 500"),
        (["incomplete"], "With 8 users 1 of 2 requests was not completed: "),
        (["cancelled", "failed"], "With 8 users 1 of 2 requests was not completed: H"),
    ],
)
def test_requests_that_came_to_nothing_are_told_beside_what_was_measured(
    others, sentence
):
    errors = {"cancelled": "stopped before its end"}
    lost = [
        request(status=status, error=errors.get(status, "HTTP 500: broken"))
        for status in others
    ]
    found = result(many(1), level(8, repetition(8, [request(), *lost])))
    compared, told_of, *rest = found.sentences()
    assert "8 users got" in compared
    assert told_of.startswith(sentence)
    assert len(rest) == others.count("cancelled")


def test_levels_that_were_not_reached_are_named():
    found = result(many(1), spec=asked(1, 4, 16, 64))
    assert [load.users for load in found.missing] == [4, 16, 64]
    assert found.sentences() == ("Not measured: 4, 16 and 64 users.",)


def test_a_level_with_repetitions_left_says_so():
    found = result(many(4), spec=asked(4, repeat=3))
    assert not found.levels[0].is_whole
    assert found.sentences() == ("With 4 users only 1 of 3 repetitions ended.",)


def test_a_level_that_was_cut_says_so():
    cut = level(4, repetition(4, [request(), request(status="cancelled")]))
    assert "the load was cut" in result(cut).sentences()[0]


def test_the_engines_times_are_means_over_the_repetitions():
    other = ENGINE | {"queue_ms": 30.0, "preemptions": 2.0}
    repetitions = [repetition(4, [request()], engine) for engine in (ENGINE, other)]
    (found,) = result(level(4, *repetitions), spec=asked(4, repeat=2)).levels
    assert (found.queue_ms, found.prefill_ms, found.rest_ms) == (20.0, 150.0, 40.0)
    assert (found.preemptions, found.prefix_hit_tokens) == (2, None)
    assert found.is_separable


@pytest.mark.parametrize(
    "engine", [None, dict.fromkeys(ENGINE), ENGINE | {"queue_ms": None}]
)
def test_with_other_traffic_in_one_repetition_there_are_no_times(engine):
    repetitions = [repetition(4, [request()], e) for e in (ENGINE, engine)]
    (found,) = result(level(4, *repetitions)).levels
    assert found.queue_ms is None
    assert not found.is_separable


def test_a_short_report_is_one_level():
    found = LoadResult.of({"target": {}, **repetition(64, [request()] * 3)}, asked(64))
    (only,) = found.levels
    assert (only.users, only.completed, only.repetitions) == (64, 3, 1)
    assert only.bands == {}


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_of_a_level_without_a_completed_request_nothing_is_said_to_be_counted(status):
    error = "stopped before its end"
    ended = [request(status=status, error=error)] * 2
    found = result(level(2, repetition(2, ended)), spec=asked(2, repeat=3))
    assert found.sentences() == (f"With 2 users no request was completed: {error}.",)


def test_goodput_and_cached_share_are_told():
    limits = {"ttft_ms": 500.0, "tpot_ms": None, "e2e_ms": None}
    good = {"requests": 3, "requests_per_s": 0.75, "share": 0.75, **limits}
    (found,) = result(many(4, goodput=good)).levels
    assert (found.goodput.limits, found.goodput.share_percent) == (limits, 75.0)
    assert found.cached_percent == 25
    (unknown,) = result(many(4, prompt_tokens=None, cached_tokens=None)).levels
    assert (unknown.goodput, unknown.cached_percent) == (None, None)


def test_the_limit_is_asked_at_half_the_answer_and_the_measured_tpot():
    calls = []
    spec = asked(4, prompt_tokens=512, max_tokens=128)
    LoadResult.of(report(many(4)), spec, lambda *given: calls.append(given))
    assert calls == [(4, 576, 30.0)]


def test_notes_are_sentences_each_once():
    found = result(*(many(n, notes=["cached-prompts", "stopped"]) for n in (1, 4)))
    assert len(found.notes) == 1
    assert "prefix cache" in found.notes[0].sentence
    assert found.notes[0].where == "In every load"


def test_a_note_says_which_loads_it_is_about():
    late = {4: ["loop-lag"], 16: ["loop-lag", "few-values"]}
    found = result(*(many(n, notes=late.get(n, [])) for n in (1, 4, 16)))
    assert [note.where for note in found.notes] == [
        "With 4 and 16 users",
        "With 16 users",
    ]
    assert result(many(4, notes=late[4])).notes[0].where == ""


def test_a_prompt_that_was_sent_again_on_purpose_is_no_note():
    shape = {"users": 1, "prompt_tokens": 64, "max_tokens": 11}
    spec = Spec.of_loads(
        [{"name": "fresh", **shape}, {"name": "again", "fresh_prompt": False, **shape}]
    )
    noted = many(1, notes=["cached-prompts", "few-values"])
    found = result(*({**noted, "name": name} for name in ("fresh", "again")), spec=spec)
    assert [(note.where, "cache" in note.sentence) for note in found.notes] == [
        ("In “fresh”", True),
        ("In every load", False),
    ]


def test_a_report_without_levels_is_no_result():
    assert LoadResult.of(report(), asked(1, 4)) is None
