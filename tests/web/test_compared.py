"""Two loads, or two streams, in one drawing: the same axes for both."""

import re

import pytest

from interview.web.charts import LoadPoint, gap_chart, load_panel
from interview.web.compared import common_reach_ms, compared_figure, panel

A = [{"users": 1, "tpot_ms": 30.0}, {"users": 4, "tpot_ms": 60.0}]
B = [{"users": 1, "tpot_ms": 45.0}, {"users": 16, "tpot_ms": 190.0}]
LIMIT = [{"users": 1, "tpot_ms": 22.3}, {"users": 16, "tpot_ms": 100.0}]


@pytest.mark.parametrize("top", [9.1, 41.0, 75.0, 99.0, 101.0, 150.1, 260.0, 1999.0])
def test_two_strips_end_at_the_same_number(top):
    one, other = ([top] * 4, [1] * 5), ([3.0] * 4, [1] * 5)
    reach_ms = common_reach_ms([one, other])
    charts = [gap_chart(*stream, reach_ms=reach_ms) for stream in (one, other)]
    assert charts[0].ticks == charts[1].ticks
    assert charts[0].ticks[-1].value == reach_ms >= top


def test_streams_without_gaps_reach_nowhere():
    assert common_reach_ms([([], [1])]) == 0


def test_a_panel_holds_the_points_of_the_other_and_draws_its_own():
    far = [LoadPoint(256, 900.0, 800.0, 1000.0)]
    shown = load_panel([LoadPoint(1, 10.0)], reach=far)
    assert [dot.users for dot in shown.dots] == [1]
    assert shown.ticks[-1].value == 1000
    # The axis ends at 256 users.
    assert max(tick.at for tick in shown.users) < 100


def test_each_run_has_its_shape_and_its_name_where_it_ends():
    html = compared_figure(A, B)
    assert html.count('class="chart__dot"') == html.count('class="chart__square"') == 2
    ends = re.findall(r'chart__value[^>]*dy="(-?\d+)">([AB] [\d.]+)<', html)
    # B ends higher: its name is above its point, A's below.
    assert ends == [("20", "A 60.0"), ("-10", "B 190.0")]


@pytest.mark.parametrize("low", [0.1, 5, 20, 50, 90])
@pytest.mark.parametrize("high", [0.2, 6, 40, 100])
@pytest.mark.parametrize("users", [(1, 1), (16, 16), (64, 64), (1, 64), (64, 1)])
def test_a_name_covers_neither_the_other_nor_the_counts_of_users(low, high, users):
    rows = [
        [{"users": n, "ttft_ms": value}]
        for n, value in zip(users, (low, high), strict=True)
    ]
    drawn = panel(
        ("ttft_ms", "", 0), tuple(rows), ([], []), [{"users": 4, "ttft_ms": 100}]
    )
    feet = sorted(label.dot.y + label.dy for label in drawn.labels)
    assert feet[1] - feet[0] >= 14 or users[0] != users[1]
    assert max(feet) < drawn.a.height


def test_a_name_below_its_dot_stands_off_the_line_that_comes_from_the_left():
    steep = [{"users": 1, "ttft_ms": 10}, {"users": 16, "ttft_ms": 80}]
    higher = [{**row, "ttft_ms": row["ttft_ms"] + 10} for row in steep]
    html = compared_figure(steep, higher)
    assert re.search(r'chart__value--start"[^>]*dy="20">A 80<', html)
    assert re.search(r'chart__value"[^>]*dy="-10">B 90<', html)


def test_the_same_limit_is_drawn_once():
    same = compared_figure(A, B, limit_a=LIMIT, limit_b=list(LIMIT))
    assert (same.count("chart__limit"), same.count("the limit of both")) == (1, 1)
    two = compared_figure(
        A, B, limit_a=LIMIT, limit_b=[LIMIT[0], {"users": 16, "tpot_ms": 120.0}]
    )
    assert "the limit of A" in two
    assert "the limit of B" in two
    assert two.count("chart__limit--b") == 1


def test_a_number_that_none_has_has_no_chart():
    assert compared_figure([], []) == ""
    assert "Median TTFT in ms" not in compared_figure(A, B)


def test_a_number_that_one_lacks_is_drawn_for_the_other():
    html = compared_figure(A, [{"users": 1, "ttft_ms": 200.0}])
    assert "B: no number." in html
    assert "A: no number. B: 200 at 1 user." in html
