"""The arithmetic of a comparison: ratios, spreads, and the words for them."""

import pytest

from interview.lab.comparing.compare import Outcome, load_pairs, only_in
from interview.lab.comparing.compare_words import sentences
from interview.lab.comparing.figure import Spread


def load(spoiled=(), **values):
    """Of metrics with a value, or a value and its spread."""
    full = {
        name: list(value) if isinstance(value, tuple) else [value, None, None]
        for name, value in values.items()
    }
    return {"values": full, "spoiled": list(spoiled)}


def pair(a, b, metric="tpot_ms"):
    sides = ({"64": load(**{metric: side} if side else {})} for side in (a, b))
    return load_pairs(*sides)[0].pair(metric)


WIDE, NARROW = (30.0, 28.0, 32.0), (31.0, 30.5, 31.5)
FAR = (37.2, 36.9, 37.5)


@pytest.mark.parametrize(
    ("a", "b", "outcome", "words"),
    [
        (WIDE, FAR, Outcome.APART, "1.24 times, outside both spreads"),
        (WIDE, NARROW, Outcome.ALIKE, "1.03 times, within the spread: no difference"),
        (NARROW, WIDE, Outcome.ALIKE, "0.97 times, within the spread"),
        # Spreads that touch are not apart.
        ((30.0, 28.0, 32.0), (33.0, 32.0, 34.0), Outcome.ALIKE, "1.10 times, within"),
        (WIDE, 31.0, Outcome.ALIKE, "1.03 times, within the spread"),
        (WIDE, 45.0, Outcome.OPEN, "1.50 times; B has none: it may be chance"),
        (45.0, WIDE, Outcome.OPEN, "0.67 times; A has none"),
        (30.0, 33.0, Outcome.OPEN, "1.10 times; neither has a spread"),
        # What rounds away is no difference, whatever the spreads.
        (30.0, 30.0, Outcome.SAME, "the same"),
        (30.0, 30.04, Outcome.SAME, "the same"),
        ((65.41, 65.40, 65.42), (65.37, 65.36, 65.38), Outcome.SAME, "the same"),
        ((65.4, 65.4, 65.44), (65.5, 65.36, 65.6), Outcome.ALIKE, "1.002 times, with"),
        (30.0, None, Outcome.MISSING, "not measured by B"),
        (None, 30.0, Outcome.MISSING, "not measured by A"),
    ],
)
def test_a_ratio_counts_only_outside_both_spreads(a, b, outcome, words):
    found = pair(a, b)
    assert found.outcome is outcome
    assert found.words.startswith(words)


def test_nothing_is_a_multiple_of_zero():
    found = pair((0.0, 0.0, 0.0), WIDE)
    assert (found.ratio, found.outcome) == (None, Outcome.MISSING)
    assert found.words == "no ratio, for A is 0"


def test_what_is_0_was_measured():
    """As the gaps of an answer that came in one piece."""
    both, none = pair((0.0, None, None), (0.0, None, None)), (0.0, None, None)
    assert (both.outcome, both.words) == (Outcome.SAME, "the same")
    assert pair(30.0, none).words.startswith("0.00 times")


def test_only_common_loads_are_paired_in_the_order_of_a():
    a = {"64": load(tpot_ms=1.0), "1": load(tpot_ms=1.0), "4": load(tpot_ms=1.0)}
    b = {"1": load(tpot_ms=1.0), "64": load(tpot_ms=1.0), "long": load()}
    assert [one.name for one in load_pairs(a, b)] == ["64", "1"]
    assert (only_in(a, b), only_in(b, a)) == (("4",), ("long",))


def test_what_spoils_a_load_is_told_with_its_run():
    a, b = {"1": load(["other-traffic"])}, {"1": load(["cut-short", "new-code"])}
    said = [(one.run, one.words) for one in load_pairs(a, b)[0].spoilers]
    assert said == [
        ("A", "the server had requests of others, too"),
        ("B", "the measurement was stopped before its end"),
        ("B", "new-code"),
    ]


def test_a_number_that_is_spoiled_says_so():
    spread = {"tpot_ms": (30.0, 29.0, 31.0), "itl_max_ms": (90.0, 80.0, 99.0)}
    a, b = {"1": load(["loop-lag"], **spread)}, {"1": load(**spread)}
    one = load_pairs(a, b)[0]
    assert one.pair("itl_max_ms").words.endswith("; spoiled, see below")
    cut = {"1": load(["cut-short"], **spread)}
    assert load_pairs(b, cut)[0].pair("tpot_ms").words.endswith("; spoiled, see below")
    (sentence,) = sentences(load_pairs(b, cut))
    assert sentence.endswith("Something spoils these numbers: the table tells what.")


def said(name, a, b):
    return sentences(load_pairs({name: load(**a)}, {name: load(**b)}))


def test_a_sentence_tells_what_is_shown_and_what_is_not():
    a = {"tpot_ms": (243.8, 240.0, 246.0), "ttft_ms": (965.0, 950.0, 990.0)}
    b = {"tpot_ms": (227.0, 225.0, 229.0), "ttft_ms": (960.0, 940.0, 985.0)}
    assert said("64", a, b) == (
        "With 64 users B needs 7 % less per token; TTFT cannot be told apart.",
    )


def test_a_large_difference_is_said_in_times():
    a, b = (
        {"output_tokens_per_s": (value, value - 1, value + 1), "ttft_ms": wait}
        for value, wait in ((29.5, (103.0, 99.0, 105.0)), (239.3, (99.7, 99.6, 99.9)))
    )
    assert said("1", a, b) == (
        "With 1 user B puts out 8.1 times as much; TTFT cannot be told apart.",
    )


def test_without_both_spreads_a_sentence_leaves_chance_open():
    assert said("long", {"ttft_ms": 100.0}, {"ttft_ms": 117.0}) == (
        "In “long” B waits 17 % longer for its first token, which may be chance.",
    )


def test_what_prints_the_same_is_the_same():
    a = {"tpot_ms": 30.0, "ttft_ms": 257.2, "output_tokens_per_s": 29.5}
    b = {"tpot_ms": 30.0000001, "ttft_ms": 256.9, "output_tokens_per_s": 29.51}
    assert said("1", a, b) == ("With 1 user TPOT, TTFT and output are the same.",)
    assert said("1", a, {"tpot_ms": 30.01}) == ("With 1 user TPOT is the same.",)


def test_a_sentence_says_first_that_a_load_is_not_like_for_like():
    a, b = ({"64": load(tpot_ms=value)} for value in (30.0, 33.0))
    (found,) = sentences(load_pairs(a, b), {"64"})
    assert found.startswith("Not like for like: with 64 users B needs 10 % more")


def test_only_spreads_of_one_kind_are_compared():
    sides = [{"1": load(e2e_ms=spread)} for spread in (WIDE, FAR)]
    over = [{"1": kind} for kind in (Spread.REQUESTS, Spread.REPETITIONS)]
    kinds = [
        load_pairs(*sides, over[0], other)[0].pair("e2e_ms").outcome for other in over
    ]
    assert kinds == [Outcome.APART, Outcome.OPEN]
    words = load_pairs(*sides, *over)[0].pair("e2e_ms").words
    assert words == (
        "1.24 times; one spread is over repetitions, the other over requests: it may "
        "be chance"
    )


def test_nothing_is_said_of_what_one_did_not_measure():
    assert said("1", {"tpot_ms": 30.0}, {"ttft_ms": 30.0}) == ()
