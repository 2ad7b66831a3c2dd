"""Shapes from numbers: exact positions, nothing drawn where nothing was measured."""

import pytest

from interview.web.charts import (
    LoadPoint,
    Scale,
    gap_chart,
    is_stall,
    load_panel,
    round_ticks,
)
from interview.web.spans import request_spans


def test_a_scale_maps_its_ends_and_its_middle():
    scale = Scale(0, 200, 120, 0)
    assert [scale.at(value) for value in (0, 100, 200)] == [120, 60, 0]


def test_a_logarithmic_scale_puts_equal_ratios_at_equal_distances():
    scale = Scale(1, 64, 0, 90, log=True)
    assert [scale.at(users) for users in (1, 4, 16, 64)] == [0, 30, 60, 90]


@pytest.mark.parametrize(
    ("high", "ticks"),
    [
        (243.8, (0, 100, 200, 300)),
        (32.3, (0, 10, 20, 30, 40)),
        (10, (0, 2.5, 5, 7.5, 10)),
        (0.9, (0, 0.25, 0.5, 0.75, 1)),
        (0, (0, 1)),
    ],
)
def test_ticks_are_round_and_reach_the_highest_value(high, ticks):
    assert round_ticks(high) == ticks


@pytest.mark.parametrize("high", [0.003, 1, 7, 19.99, 20, 965, 12_345])
def test_there_are_never_more_than_four_steps(high):
    ticks = round_ticks(high)
    assert len(ticks) <= 5
    assert ticks[-1] >= high > ticks[-2]


def test_a_stall_is_over_twice_the_median_and_ten_milliseconds_above_it():
    assert is_stall(70, 30)
    assert not is_stall(60, 30)
    assert not is_stall(9, 2)
    assert is_stall(12.5, 2)


def test_a_stream_without_gaps_has_no_chart():
    assert gap_chart([], [1]) is None


def test_a_bar_is_as_wide_as_its_tokens_and_as_high_as_its_gap():
    chart = gap_chart([30, 30, 60], [2, 1, 3, 1])
    assert [bar.width for bar in chart.bars] == [20, 60, 20]
    assert [bar.x for bar in chart.bars] == [0, 20, 80]
    assert [bar.token for bar in chart.bars] == [3, 4, 7]
    assert chart.last_token == 7
    assert chart.ticks[-1].value == 60
    assert [bar.height for bar in chart.bars] == [60, 60, 120]


def test_bars_fill_the_whole_width_and_stand_on_the_floor():
    chart = gap_chart([31.2, 29.9, 33.3, 30.1, 72.0], [1, 1, 2, 1, 4, 1])
    last = chart.bars[-1]
    assert last.x + last.width == pytest.approx(100, abs=0.01)
    for bar in chart.bars:
        assert bar.y + bar.height == pytest.approx(chart.height, abs=0.01)


@pytest.mark.parametrize("batch", [2, 5, 16, 64])
@pytest.mark.parametrize("pause_ms", [40, 60_000])
def test_a_stream_in_batches_is_drawn_on_an_axis_that_holds_them(batch, pause_ms):
    itl_ms = ([0.01] * (batch - 1) + [40]) * 20 + [pause_ms]
    chart = gap_chart(itl_ms, [1] * (len(itl_ms) + 1))
    assert 40 <= chart.ticks[-1].value <= 200


def test_one_long_pause_is_cut_and_does_not_flatten_the_rest():
    chart = gap_chart([30] * 9 + [1000], [1] * 11)
    assert chart.bars[-1].cut
    assert chart.bars[-1].y == 0
    assert chart.bars[0].height == pytest.approx(chart.height / 4, rel=0.3)
    assert [bar.gap_ms for bar in chart.stalls] == [1000]
    assert chart.longest.gap_ms == 1000
    assert gap_chart([5] * 50 + [60_000], [1] * 52).ticks[-1].value == 20


def test_the_limit_is_on_the_axis_only_when_it_is_known():
    assert gap_chart([30], [1, 1]).limit_y is None
    chart = gap_chart([30], [1, 1], limit_ms=90)
    assert 0 <= chart.limit_y < chart.median_y


def test_token_counts_that_do_not_match_the_gaps_are_refused():
    with pytest.raises(ValueError, match="zip"):
        gap_chart([30, 30], [1, 1])


def test_gaps_of_zero_still_have_an_axis():
    chart = gap_chart([0, 0], [1, 1, 1])
    assert [bar.height for bar in chart.bars] == [0, 0]


def test_a_panel_has_a_dot_only_where_there_is_a_number():
    panel = load_panel([LoadPoint(64, 243.8), LoadPoint(1, 32.3)])
    assert [(dot.users, dot.x) for dot in panel.dots] == [(1, 0), (64, 100)]
    assert [tick.value for tick in panel.users] == [1, 4, 16, 64]


def test_a_line_over_counts_that_nobody_measured_is_set_apart():
    ends = load_panel([LoadPoint(1, 32.3), LoadPoint(64, 243.8)])
    assert [segment.near for segment in ends.segments] == [False]
    full = load_panel([LoadPoint(n, n) for n in (1, 4, 16, 64)])
    assert [segment.near for segment in full.segments] == [True] * 3


def test_a_band_goes_along_the_highest_and_back_along_the_lowest_seed():
    points = [LoadPoint(1, 50, 40, 60), LoadPoint(64, 200, 180, 300)]
    assert load_panel(points, height=150).band == "0,120 100,0 100,60 0,130"
    assert load_panel([LoadPoint(1, 50, 40, 60), LoadPoint(64, 200)]).band == ""


def test_more_users_than_the_axis_was_made_for_widen_it():
    panel = load_panel([LoadPoint(1, 10), LoadPoint(256, 90)])
    assert panel.dots[-1].x == 100
    assert panel.users[-1].at == 75


def test_tick_text_has_commas_and_no_needless_decimals():
    panel = load_panel([LoadPoint(1, 900), LoadPoint(64, 1900)])
    assert [tick.text for tick in panel.ticks] == [
        "0",
        "500",
        "1,000",
        "1,500",
        "2,000",
    ]


def test_spans_are_what_lies_between_the_stamps_of_a_request():
    spans = request_spans(1.5, 6, 261, 3314)
    assert (spans.connect_ms, spans.accept_ms) == (1.5, 6)
    assert (spans.wait_ms, spans.decode_ms) == (255, 3053)


def test_a_missing_stamp_leaves_its_spans_missing():
    spans = request_spans(None, 6, None, None)
    assert (spans.connect_ms, spans.accept_ms) == (None, 6)
    assert (spans.wait_ms, spans.decode_ms) == (None, None)
