"""Which questions a panel talks about first, and in which words."""

import pytest

from interview.rating.disagreement import Disagreement, widest_first
from interview.rating.rating import Mark, Rated, Rung, Spread
from interview.rating.words import cap_words, level_word, mark_word, spread_words

MET, NOT_MET, NOT_ASKED = Mark


def names_by_weight(**ratings):
    pairs = [(name, Disagreement.of(given, ())) for name, given in ratings.items()]
    return widest_first(pairs)


def test_the_widest_spread_comes_first_and_no_rating_last():
    found = names_by_weight(none=[None, None], one=[2], wide=[0, 4, 2], near=[3, 2])
    assert found == ["wide", "near", "one", "none"]


def test_what_is_equally_wide_stays_in_its_order():
    assert names_by_weight(b=[1, 2], a=[3, 4], c=[2, 1]) == ["b", "a", "c"]


def test_of_two_equal_spreads_the_one_with_more_marks_apart_comes_first():
    same = Disagreement.of([2, 2], [{"x": MET}, {"x": MET}])
    apart = Disagreement.of([2, 2], [{"x": MET}, {"x": NOT_MET}])
    assert widest_first([("same", same), ("apart", apart)]) == ["apart", "same"]


def test_only_met_beside_not_met_is_apart():
    marks = [
        {"a": MET, "b": MET, "c": NOT_MET, "d": NOT_ASKED},
        {"a": NOT_MET, "b": NOT_ASKED, "c": NOT_ASKED},
        {"a": MET, "d": MET},
    ]
    assert Disagreement.of([], marks).apart == ("a",)


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        ([], "no rating"),
        ([None], "no rating"),
        ([0], "below L1, one rating"),
        ([2, 2, None], "all L2"),
        ([3, 2], "L2 to L3, 1 step apart"),
        ([4, 0, 2], "below L1 to L4, 4 steps apart"),
    ],
)
def test_a_spread_is_said_by_its_ends(ratings, words):
    assert spread_words(Spread.of(ratings)) == words


def test_missing_is_said_as_missing():
    assert (level_word(None), mark_word(None)) == ("not rated", "not marked")
    assert (level_word(0), mark_word(NOT_MET)) == ("below L1", "not met")


def test_a_cap_names_the_hint_and_what_it_cost():
    rungs = [Rung("a", "L1"), Rung("b", "L3")]
    words = "capped by a hint at L3, L4 without it"
    assert cap_words(Rated(2, 4, "b"), rungs) == words
    assert cap_words(Rated(2, 2, ""), rungs) == ""
