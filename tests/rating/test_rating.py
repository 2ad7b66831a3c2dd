"""How far a candidate climbed, from what was marked."""

import pytest

from interview.rating.rating import Mark, Rated, Rung, Spread, filled, rated

RUNGS = [
    Rung("one", "L1"),
    Rung("two", "L2"),
    Rung("three", "L3"),
    Rung("other", "L3"),
    Rung("four", "L4"),
]
SIGNS = {"+": Mark.MET, "-": Mark.NOT_MET, ".": Mark.NOT_ASKED}


def marks(signs):
    """`++-..` in the order of RUNGS; "?" is not marked."""
    pairs = zip(RUNGS, signs, strict=True)
    return {rung.id: SIGNS[sign] for rung, sign in pairs if sign != "?"}


def signs(found):
    names = {mark: sign for sign, mark in SIGNS.items()}
    return "".join(names[found[rung.id]] if rung.id in found else "?" for rung in RUNGS)


@pytest.mark.parametrize(
    ("marked", "rating"),
    [
        ("+++++", 4),
        ("++...", 2),
        ("-....", 0),
        ("-+...", 2),  # the highest that was met, whatever was below
        ("..-+.", 3),  # one of several at a level is enough
        ("....+", 4),
        ("++---", 2),
    ],
)
def test_the_rating_is_the_highest_level_that_was_met(marked, rating):
    assert rated(RUNGS, marks(marked), ()) == Rated(rating, rating, "")


@pytest.mark.parametrize("marked", [".....", "?????", "++..?"])
def test_without_all_marks_or_anything_asked_there_is_no_rating(marked):
    assert rated(RUNGS, marks(marked), ()).rating is None


@pytest.mark.parametrize(
    ("marked", "hinted", "found"),
    [
        ("+++..", ["three"], Rated(2, 3, "three")),
        ("+++++", ["two", "four"], Rated(1, 4, "two")),
        ("+....", ["one"], Rated(0, 1, "one")),
        ("++-..", ["three"], Rated(2, 2, "")),  # it held nothing down
        ("++...", ["four"], Rated(2, 2, "")),  # a hint at what was not asked is none
    ],
)
def test_a_hint_caps_the_rating_at_the_level_below(marked, hinted, found):
    assert rated(RUNGS, marks(marked), hinted) == found


@pytest.mark.parametrize(
    ("before", "rating", "after"),
    [
        ("?????", 0, "-...."),
        ("?????", 2, "++--."),
        ("?????", 4, "+++++"),
        ("+-???", 3, "+-++-"),  # what was marked by hand below stays
        ("+++++", 1, "+-..."),  # what contradicts it does not
        ("?.???", 2, "++--."),  # something at the level was met
    ],
)
def test_a_rating_given_at_once_fills_in_the_marks(before, rating, after):
    found = filled(RUNGS, marks(before), rating)
    assert signs(found) == after
    assert rated(RUNGS, found, ()).rating == rating


def test_a_spread_counts_by_rating_and_says_how_wide_it_is():
    spread = Spread.of([3, 1, 3, None])
    assert spread.counts == (0, 1, 0, 2, 0)
    assert (spread.n, spread.lowest, spread.highest, spread.width) == (3, 1, 3, 2)
    assert Spread.of([None]).width is None
