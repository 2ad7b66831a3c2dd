"""Rows of dots: what is missing is not drawn, what is there has its place."""

import pytest

from interview.web.dotplot import DotRow, Spread, dot_plot, spread_of


def test_everything_of_a_row_stands_on_one_axis_from_zero():
    row = DotRow("a", 50.0, "", Spread(40.0, 60.0), 80.0, Spread(70.0, 100.0), 25.0)
    (drawn,) = dot_plot([row]).rows
    assert (drawn.value_x, drawn.guess_x, drawn.limit_x) == (50, 80, 25)
    assert (drawn.spread.x, drawn.spread.width) == (40, 20)
    assert (drawn.guessed.x, drawn.guessed.width) == (70, 30)


def test_rows_share_their_axis_and_stand_below_each_other():
    plot = dot_plot([DotRow("a", 10.0), DotRow("b", 100.0)])
    assert [drawn.value_x for drawn in plot.rows] == [10, 100]
    assert plot.rows[1].y - plot.rows[0].y == plot.height / 2
    assert [tick.at for tick in plot.ticks][::4] == [0, 100]


def test_what_is_missing_is_not_drawn():
    plot = dot_plot([DotRow("a", None), DotRow("b", None, guess=3.0)])
    first, second = plot.rows
    assert (first.value_x, first.spread, first.guess_x) == (None, None, None)
    assert second.guess_x > 0
    assert dot_plot([DotRow("a", None)]) is None
    assert dot_plot([]) is None


@pytest.mark.parametrize(("low", "high"), [(None, 1.0), (1.0, None), (None, None)])
def test_a_spread_has_two_ends(low, high):
    assert spread_of(low, high) is None
