"""Dots along a line: from one to fifty, none on another, a wild one at the edge."""

from itertools import combinations

import pytest

from interview.lab.rooms.guess_strip import LARGE_PX, NUMBERED, guess_strip


@pytest.mark.parametrize("count", [1, 2, 12, 13, 50])
def test_dots_do_not_cover_each_other(count):
    strip = guess_strip([100 + n % 7 for n in range(count)], 100)
    assert len(strip.dots) == count
    assert strip.is_numbered == (count <= NUMBERED)
    width = 7.0 if strip.is_numbered else 3.2
    for a, b in combinations(strip.dots, 2):
        assert a.y != b.y or abs(a.x - b.x) >= width - 0.001
    assert all(0 < dot.y < strip.height for dot in strip.dots)


def test_a_wild_guess_lies_at_the_edge_and_presses_nobody():
    strip = guess_strip([250, 270, 90_000], 260)
    assert [dot.is_beyond for dot in strip.dots] == [False, False, True]
    assert strip.dots[2].x == 100
    assert strip.beyond == 1
    assert strip.dots[0].x > 50


def test_the_measurement_is_on_the_axis_also_when_all_guesses_are_small():
    strip = guess_strip([1, 2], 400)
    assert strip.measured_x == 100
    assert strip.ticks[-1].value == 400


def test_without_a_measurement_the_guesses_make_the_axis():
    strip = guess_strip([100, 200], None)
    assert strip.measured_x is None
    assert strip.dots[0].y == strip.height - LARGE_PX / 2 - 2
