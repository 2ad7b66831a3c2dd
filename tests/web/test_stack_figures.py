"""Stacked bars: their scale, their parts, and that nothing of a row is lost."""

import re
from itertools import pairwise

import pytest

from interview.web.figures import figure
from interview.web.stacks import Part, Row, stack

STEPS = [
    {"step": "1", "prompt_tokens": "254", "decode_tokens": "2", "budget": "256"},
    {"step": "2", "prompt_tokens": "0", "decode_tokens": "4", "budget": "256"},
]


def row(*values):
    return Row("a", "b", [Part("decode", "c", value) for value in values])


def test_all_bars_share_one_scale():
    drawn = stack([row(30), row(60)])
    assert [bar.pieces[0].width for bar in drawn.bars] == [50, 100]


def test_the_pieces_of_a_bar_touch_and_add_up():
    pieces = stack([row(10, 20, 30)]).bars[0].pieces
    for left, right in pairwise(pieces):
        assert right.x == pytest.approx(left.x + left.width, abs=0.002)
    assert sum(piece.width for piece in pieces) == pytest.approx(100, abs=0.01)


def test_a_part_of_no_size_is_not_drawn():
    pieces = stack([row(0, 5)]).bars[0].pieces
    assert [piece.part.value for piece in pieces] == [5]
    assert pieces[0].x == 0


def test_the_axis_holds_a_limit_above_all_bars():
    drawn = stack([row(10)], limit=40)
    assert drawn.ticks[-1].value >= 40
    assert 0 < drawn.limit.at <= 100


def test_bars_lie_under_each_other_inside_the_height():
    drawn = stack([row(1), row(1), row(1)])
    starts = [bar.y for bar in drawn.bars]
    assert starts == sorted(starts)
    assert starts[-1] + drawn.bar <= drawn.height


def test_a_step_is_drawn_said_and_tabled():
    html = figure("step-budget", rows=STEPS)
    assert html.count("<rect") == 3
    assert "254 of prompts, 2 decoding" in html
    assert re.search(r'<th scope="row">step 2</th>\s*<td class="num">0</td>', html)
    assert "chart__limit" in html


def test_a_figure_without_a_limit_draws_none():
    cells = {"run": "1", "seed": "1", "prompt_tokens": "40"}
    rows = [cells | {"computed_tokens": "30", "cached_tokens": "10"}]
    html = figure("prefix-reuse", rows=rows)
    assert "chart__limit" not in html
    assert "25 % from the cache" in html


@pytest.mark.parametrize("name", ["step-budget", "memory-split", "batch-curve"])
def test_a_figure_without_rows_says_so(name):
    assert "No numbers to draw" in figure(name)


def test_the_batch_curve_sets_the_measurement_beside_the_limit():
    rows = [
        {"users": n, "experts": e, "weights_gb": "6", "limit_ms": t}
        for n, e, t in (("1", "8.0", "22.3"), ("64", "125.9", "218.0"))
    ]
    html = figure("batch-curve", rows=rows, beside=[{"users": "1", "tpot_ms": "32.3"}])
    assert html.count('class="chart__dot"') == 1
    assert ">32.3</text>" in html
    assert html.count('<td class="num">–</td>') == 1
