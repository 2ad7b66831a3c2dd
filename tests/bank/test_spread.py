"""Ratings as five bars and as words."""

from interview.bank.spread import HEIGHT, SpreadFigure
from interview.rating.rating import Spread


def figure(*ratings):
    return SpreadFigure.of(Spread.of(ratings))


def test_the_words_leave_out_what_nobody_gave():
    assert figure(0, 2, 2, 4, None).words == "1 below L1, 2 at L2, 1 at L4"


def test_without_ratings_the_words_say_so_and_every_bar_is_flat():
    empty = figure(None)
    assert empty.words == "no ratings yet"
    assert {bar.height for bar in empty.bars} == {1}


def test_bars_stand_on_one_line_and_the_most_frequent_is_full_height():
    bars = figure(1, 3, 3).bars
    assert [bar.height for bar in bars] == [1, HEIGHT / 2, 1, HEIGHT, 1]
    assert {bar.y + bar.height for bar in bars} == {HEIGHT}
    assert [bar.x for bar in bars] == sorted({bar.x for bar in bars})
