"""What a run says of a claim: agrees, refutes, or why it cannot tell."""

import pytest

from interview.cards.experiment import Claim
from interview.cards.outline import Passage
from interview.cards.quantity import read_quantity, read_range
from interview.lab.experiments.verdict import Outcome, verdict
from interview.lab.results.spoilers import ONLY, WORDS


def claim(
    of="ttft_ms@long", to="ttft_ms@short", agrees="5..", doubt="2..", against=None
):
    return Claim(
        id="later",
        title="The long prompt’s first token comes at least five times as late.",
        of=read_quantity(of),
        to=read_quantity(to),
        agrees=read_range(agrees),
        doubt=read_range(doubt),
        against=against,
        why=Passage("Because.", 1, 4),
        line=1,
    )


def load(*, spoiled=(), **values):
    """A number, or a number with its low and high."""
    return {
        "values": {
            metric: list(value) if isinstance(value, tuple) else [value, None, None]
            for metric, value in values.items()
        },
        "spoiled": list(spoiled),
    }


def judged(long, short=100.0, spoiled=(), **changes):
    figures = {
        "long": load(ttft_ms=long, spoiled=spoiled),
        "short": load(ttft_ms=short),
    }
    return verdict(claim(**changes), figures)


@pytest.mark.parametrize(
    ("long", "short", "said"),
    [
        (0.0, 100.0, "In “long”, TTFT was 0: no ratio tells."),
        (300.0, 0.0, "In “short”, TTFT was 0: no ratio tells."),
        (300.0, (100.0, 0.0, 110.0), "In “short”, TTFT was 0 at times."),
    ],
)
def test_what_was_0_was_measured_and_decides_nothing(long, short, said):
    found = judged(long, short, agrees="..5", doubt="..9")
    assert found.outcome is Outcome.CANNOT_TELL
    assert said in found.sentence
    assert "not measured" not in found.sentence


def test_a_ratio_in_the_claims_range_agrees():
    found = judged(521.0)
    assert found.outcome is Outcome.AGREES
    assert (found.ratio, found.low, found.high) == (5.21, 5.21, 5.21)
    assert found.sentence == (
        "TTFT was 521\u00a0ms in “long” and 100\u00a0ms in “short”: "
        "5.21 times as much. The claim holds from 5 on."
    )


def test_a_ratio_outside_the_doubt_refutes():
    found = judged(150.0)
    assert found.outcome is Outcome.REFUTES
    assert found.sentence.endswith("1.50 times as much. The claim is refuted below 2.")


def test_a_ratio_between_the_two_cannot_tell():
    found = judged(300.0)
    assert found.outcome is Outcome.CANNOT_TELL
    assert found.sentence.endswith(
        "The claim holds from 5 on and is refuted below 2; this is between the two."
    )


def test_the_spread_of_a_ratio_is_its_widest():
    found = judged((600.0, 550.0, 660.0), (100.0, 80.0, 110.0))
    assert (found.low, found.high) == (5.0, 8.25)
    assert found.outcome is Outcome.AGREES
    assert "6.00 times as much (5.00 to 8.25)." in found.sentence


@pytest.mark.parametrize("low_high", [(490.0, 700.0), (150.0, 700.0), (150.0, 250.0)])
def test_a_spread_across_a_bound_cannot_tell(low_high):
    found = judged((200.0 if low_high[1] == 250.0 else 600.0, *low_high))
    assert found.outcome is Outcome.CANNOT_TELL
    assert found.sentence.endswith("; the spread crosses a bound.")


@pytest.mark.parametrize(
    ("ratio", "outcome"),
    [
        (0.5, "refutes"),
        (0.75, "cannot-tell"),
        (0.8, "agrees"),
        (1.25, "agrees"),
        (1.3, "cannot-tell"),
        (2.5, "refutes"),
    ],
)
def test_a_range_has_two_ends(ratio, outcome):
    found = judged(100 * ratio, agrees="0.8..1.25", doubt="0.7..1.5")
    assert found.outcome == outcome


def test_the_bounds_of_a_range_are_said():
    both = "The claim holds from 0.8 to 1.25 and is refuted below 0.7 and above 1.5; "
    assert both in judged(75.0, agrees="0.8..1.25", doubt="0.7..1.5").sentence
    assert (
        "The claim holds up to 2." in judged(75.0, agrees="..2", doubt="..4").sentence
    )
    assert "refuted above 4." in judged(500.0, agrees="..2", doubt="..4").sentence


def test_a_load_that_was_not_measured_cannot_tell():
    found = verdict(claim(), {"short": load(ttft_ms=100.0)})
    assert found.outcome is Outcome.CANNOT_TELL
    assert found.sentence == "Nothing was measured in “long”."
    assert (found.ratio, found.low, found.high) == (None, None, None)


def test_a_number_that_is_missing_cannot_tell():
    figures = {"long": load(e2e_ms=900.0), "short": load(ttft_ms=100.0)}
    found = verdict(claim(), figures)
    assert found.outcome is Outcome.CANNOT_TELL
    assert found.sentence == "In “long”, TTFT was not measured."


@pytest.mark.parametrize("code", WORDS)
def test_a_spoiled_load_cannot_tell_however_clear_its_ratio(code):
    metric = min(ONLY.get(code, {"ttft_ms"}))
    long = load(**{metric: 9000.0}, spoiled=[code])
    figures = {"long": long, "short": load(**{metric: 10.0})}
    found = verdict(claim(f"{metric}@long", f"{metric}@short"), figures)
    assert found.outcome is Outcome.CANNOT_TELL
    assert found.sentence.endswith(f"times as much. In “long”, {WORDS[code]}.")


@pytest.mark.parametrize("code", ONLY)
def test_what_spoils_single_gaps_leaves_other_numbers(code):
    assert judged(900.0, spoiled=[code]).outcome == "agrees"


def test_a_load_that_the_claim_is_not_about_may_be_spoiled():
    figures = {
        "long": load(ttft_ms=900.0),
        "short": load(ttft_ms=100.0),
        "other": load(ttft_ms=1.0, spoiled=["failed-requests"]),
    }
    assert verdict(claim(), figures).outcome == "agrees"


def test_two_numbers_of_one_load_name_it_once():
    figures = {"1": load(ttft_ms=257.0, itl_p50_ms=32.3)}
    found = verdict(claim("ttft_ms@1", "itl_p50_ms@1"), figures)
    assert found.sentence.startswith(
        "TTFT was 257\u00a0ms and ITL p50 32.3\u00a0ms with 1 user: 7.96 times"
    )


def test_a_load_named_by_its_users_is_spoken_of_by_them():
    figures = {
        "1": load(output_tokens_per_s=29.5),
        "64": load(output_tokens_per_s=239.3),
    }
    of, to = "output_tokens_per_s@64", "output_tokens_per_s@1"
    assert verdict(claim(of, to), figures).sentence.startswith(
        "Output was 239.3\u00a0tok/s with 64 users and 29.5\u00a0tok/s with 1 user: 8.1"
    )


def test_a_title_in_the_middle_of_a_sentence_begins_small():
    figures = {"beside": load(itl_max_ms=359.0, neighbour_ttft_ms=740.0)}
    found = verdict(claim("itl_max_ms@beside", "neighbour_ttft_ms@beside"), figures)
    assert found.sentence.startswith(
        "Largest gap was 359.0\u00a0ms and neighbours’ TTFT 740\u00a0ms in “beside”: "
    )


def test_a_spread_too_small_to_be_seen_is_not_said():
    found = judged((600.0, 599.9, 600.1), (100.0, 100.0, 100.0))
    assert "6.00 times as much. The claim holds" in found.sentence
