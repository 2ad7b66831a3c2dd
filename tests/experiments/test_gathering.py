"""The room is the batch, on the virtual clock: exact numbers, and its verdicts."""

import pytest

from interview.lab.experiments.verdict import Outcome
from interview.measure.workload import Load
from interview.spark.machine import Options
from interview.spark.roofline import Chunk
from tests.experiments.shelf import EXPERIMENTS
from tests.experiments.virtual_gathering import VirtualGathering
from tests.experiments.virtual_run import VirtualRun
from tests.experiments.virtual_spark import VirtualSpark

ROOM = EXPERIMENTS["room-is-the-batch"]
PROMPT = 256
ASKED = {"users": 16, "prompt_tokens": PROMPT, "max_tokens": 4096, "joined": True}


def gathered(presses, end, options=None, **asked):
    spark = VirtualSpark(options or Options())
    load = Load(**ASKED | asked)
    return spark, VirtualGathering(load, spark, presses, end).run()


def step_ns(spark, window, heard, stamp_ns):
    """What the roofline gives a step whose tokens came at this moment."""
    chunks = [
        Chunk(1, PROMPT + answer.stamps_ns.index(stamp_ns) - 1) for answer in heard
    ]
    return spark.front.core.roofline.step_seconds(chunks) * 1e9


@pytest.mark.parametrize("options", [Options(), Options(dense=True)])
def test_each_levels_time_per_token_is_the_rooflines_step(options):
    """No answer ends meanwhile, so each step decodes one token of each stream."""
    spark, measured = gathered([1, 4, 7, 10, 13, 16, 19, 22], 26, options)
    assert [level.window.users for level in measured.levels] == list(range(1, 9))
    for level in measured.levels:
        users, window = level.window.users, level.window
        heard = measured.gathered.heard[:users]
        stamps = [at for at in heard[0].stamps_ns if window.holds(at, at)]
        steps_ns = [step_ns(spark, window, heard, at) for at in stamps[1:]]
        # Stamps are whole nanoseconds; half of one is lost at each end.
        assert stamps[-1] - stamps[0] == pytest.approx(sum(steps_ns), abs=2)
        mean_ms = sum(steps_ns) / len(steps_ns) / 1e6
        summary = level.summary
        assert summary["tpot_ms"]["n"] == users
        assert summary["tpot_ms"]["p50"] == pytest.approx(mean_ms, abs=1e-4)
        assert summary["itl_ms"]["n"] == users * len(steps_ns)
        assert summary["itl_ms"]["max"] == pytest.approx(max(steps_ns) / 1e6, abs=1e-4)
        rate = users * 1000 / mean_ms
        assert summary["output_tokens_per_s"] == pytest.approx(rate, rel=1e-3)
        assert summary["stood_ms"] == pytest.approx(window.length_ns / 1e6)
        assert set(summary["notes"]) <= {"few-values"}


def test_no_gap_of_a_level_holds_the_prompt_of_a_join():
    """The stall is there, and in no level."""
    _, measured = gathered([1, 5, 9], 13)
    first = measured.gathered.heard[0]
    gaps = [b - a for a, b in zip(first.stamps_ns, first.stamps_ns[1:], strict=False)]
    longest_ms = max(level.summary["itl_ms"]["max"] for level in measured.levels)
    assert max(gaps) / 1e6 > 2 * longest_ms


def test_tokens_of_all_windows_and_of_the_joins_between_are_all_tokens():
    _, measured = gathered([1, 4, 7], 10)
    heard, windows = measured.gathered.heard, measured.gathered.windows
    stamps = [at for answer in heard for at in answer.stamps_ns]
    inside = sum(level.summary["tokens"] for level in measured.levels)
    starts = sum(at == w.start_ns for w in windows for at in stamps)
    between = sum(not any(w.holds(at, at) for w in windows) for at in stamps)
    assert inside + starts + between == len(stamps)


def test_joins_that_come_too_close_are_missing_and_the_others_stay():
    _, measured = gathered([1, 4, 4.1, 4.15, 8], 12)
    assert [level.window.users for level in measured.levels] == [1, 4, 5]
    tpots = [level.summary["tpot_ms"]["p50"] for level in measured.levels]
    assert tpots == sorted(tpots)


def test_a_stream_asks_again_and_its_wait_is_apart():
    _, measured = gathered([1, 9], 16, max_tokens=64)
    one, two = measured.levels
    assert one.summary["completed"] >= 1
    assert one.summary["ttft_ms"]["n"] >= 1
    assert one.summary["e2e_ms"]["n"] >= 1
    assert two.summary["joined_ttft_ms"] != two.summary["ttft_ms"]["p50"]
    # The pauses between answers are in the rate: it is below that of the gaps alone.
    for level in measured.levels:
        gaps_alone = level.window.users * 1000 / level.summary["tpot_ms"]["p50"]
        assert level.summary["output_tokens_per_s"] < gaps_alone


@pytest.mark.parametrize("people", [2, 3, 8, 16])
def test_the_claims_hold_for_however_many_came(people):
    found = VirtualRun(people=people, pause=6).verdicts(ROOM).values()
    assert [v.sentence for v in found if v.outcome is not Outcome.AGREES] == []


def test_one_alone_decides_nothing():
    for verdict in VirtualRun(people=1).verdicts(ROOM).values():
        assert verdict.outcome is Outcome.CANNOT_TELL
        assert verdict.sentence.endswith("Nothing was measured but with 1 user.")


def test_a_room_without_a_first_number_decides_nothing():
    """The second one pressed at once, so nothing stands for one stream alone."""
    for verdict in VirtualRun(people=3, pause=0.2).verdicts(ROOM).values():
        assert verdict.outcome is Outcome.CANNOT_TELL
        assert "Nothing was measured with" in verdict.sentence


def test_one_request_at_a_time_refutes_both():
    """A server without batches: the streams take turns by whole answers."""
    run = VirtualRun(Options(token_budget=1), people=2, pause=90)
    found = run.verdicts(ROOM).values()
    assert {verdict.outcome for verdict in found} == {Outcome.REFUTES}


def test_a_dense_model_with_few_streams_refutes_that_each_gets_slower():
    found = VirtualRun(Options(dense=True), people=2).verdicts(ROOM)
    assert found["more-for-all"].outcome is Outcome.AGREES
    assert found["slower-for-each"].outcome is Outcome.REFUTES
