"""Figures as HTML: what is drawn, said and tabled, in any locale, without styles."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interview.cards.library import Library
from interview.cards.render import Figure
from interview.web.figures import FIGURES, UnknownFigure, figure, gap_figure
from interview.web.rendering import draw

COLUMNS = ("users", "ttft_ms", "tpot_ms", "output_tokens_per_s")
ROWS = [
    dict(zip(COLUMNS, cells, strict=True))
    for cells in (("1", "257", "32.3", "29.5"), ("64", "965", "243.8", "239.3"))
]
ABOUT = {
    "engine": "vLLM 0.31.0",
    "commit": "db9527a",
    "machine": "DGX Spark",
    "model": "Qwen/Qwen3-30B-A3B",
    "seeds": "3",
    "date": "2026-10-05",
}
RESULTS = Library.load([Path(__file__).resolve().parents[2] / "content"]).results


def drawings(html):
    page = ElementTree.fromstring(html.replace("&nbsp;", "\u00a0"))
    return [svg for svg in page.iter("svg") if svg.get("class")]


def gaps(**options):
    return gap_figure([31.2, 30.4, 84.2, 30.9], [1, 1, 2, 1, 1], **options)


def every_figure():
    """Those of the manual with the numbers that it draws them from."""
    yield from (draw(Figure(name, "", RESULTS, "1.1")) for name in FIGURES)
    yield gaps(ttft_ms=261.4, limit_ms=22.3)


def test_an_unknown_figure_names_those_that_exist():
    with pytest.raises(UnknownFigure, match="two-loads"):
        figure("three-loads")


def test_every_drawing_is_well_formed_and_says_what_it_shows():
    for html in every_figure():
        assert drawings(html)
        for drawing in drawings(html):
            assert drawing.get("role") == "img"
            assert drawing.findtext("title").strip()
            assert drawing.findtext("desc").strip()


def test_every_figure_has_a_sentence_and_a_table():
    for html in every_figure():
        assert re.search(r"<figcaption><b>.+?</b>\s+\S", html, re.DOTALL)
        assert re.search(r"<details.*?<table.*?<caption>.+?</caption>", html, re.DOTALL)


def test_no_figure_has_inline_styles_or_scripts():
    for html in every_figure():
        assert not re.search(r"\sstyle=|<style|<script|\son\w+=", html)


def test_attributes_of_a_drawing_are_never_localised(settings):
    plain = list(every_figure())
    settings.USE_I18N = True
    settings.LANGUAGE_CODE = "de"
    settings.USE_THOUSAND_SEPARATOR = True
    assert list(every_figure()) == plain


def test_the_request_flow_says_where_the_worker_lives_on_one_gpu():
    html = figure("request-flow")
    assert "On one GPU the worker lives inside the engine core" in html
    assert [int(n) for n in re.findall(r">(\d)</text>", html)] == [1, 2, 3, 4, 5, 6]


def test_two_loads_draws_the_points_of_the_result_and_no_others():
    html = figure("two-loads", rows=ROWS, about=ABOUT)
    assert html.count('class="chart__dot"') == 4
    assert html.count("chart__line--apart") == 2
    assert "chart__band" not in html
    for number in ("29.5", "239.3", "32.3", "243.8"):
        assert f">{number}</text>" in html
    assert "Lengths not stated by the manual" in html
    assert "vLLM 0.31.0 · db9527a · DGX Spark" in html


def test_two_loads_has_bands_when_the_result_has_the_seeds_ends():
    rows = [
        row | {"tpot_ms_low": row["tpot_ms"], "tpot_ms_high": "260"} for row in ROWS
    ]
    html = figure("two-loads", rows=rows, about=ABOUT)
    assert html.count("chart__band") == 1


def test_a_missing_cell_is_no_point_and_a_dash_in_the_table():
    rows = [*ROWS, dict.fromkeys(COLUMNS, "") | {"users": "16"}]
    html = figure("two-loads", rows=rows, about=ABOUT)
    assert html.count('class="chart__dot"') == 4
    assert html.count('<td class="num">–</td>') == 3


def test_two_loads_without_rows_says_so():
    assert "No numbers to draw" in figure("two-loads")


def test_a_caption_from_the_content_replaces_the_sentence_and_is_escaped():
    html = figure("two-loads", caption="a < b", rows=ROWS)
    assert "a &lt; b" in html
    assert "More users get more tokens" not in html


def test_a_stream_without_gaps_has_no_figure():
    assert gap_figure([], [1], ttft_ms=261) == ""


def test_a_stall_is_red_marked_and_named():
    html = gaps()
    assert html.count('class="stall"') == 1
    assert "▾" in html
    assert "stall 84.2" in html
    assert "1 stall over twice the median" in html


@pytest.mark.parametrize("stalls", [(12, 62, 99), (0, 50, 98), (1, 36, 70), (5, 90)])
def test_names_of_stalls_do_not_cover_each_other(stalls):
    itl_ms = [300.0 - n if n in stalls else 4.0 for n in range(100)]
    html = gap_figure(itl_ms, [1] * 101)
    spans = []
    for end, x in re.findall(r'class="chart__stall ?([\w-]*)" x="([\d.]+)%"', html):
        before = {"": 16, "chart__stall--start": 0, "chart__stall--end": 32}[end]
        spans.append((float(x) - before, float(x) - before + 32))
    assert spans
    for (_, end), (start, _) in pairwise(sorted(spans)):
        assert end <= start


def test_the_wait_for_the_first_token_is_a_mark_of_its_own():
    html = gaps(ttft_ms=261.4)
    assert "chart__first" in html
    assert re.search("wait for the first token 261\u00a0ms, not on this axis", html)
    assert "chart__first" not in gaps()


def test_the_limit_is_drawn_only_when_it_is_given():
    assert "limit 22.3\u00a0ms" in gaps(limit_ms=22.3)
    assert "limit" not in gaps()


def test_a_simulated_stream_carries_its_badge():
    assert '<span class="badge">simulated</span>' in gaps(simulated=True)
    assert "simulated" not in gaps()


def test_the_table_has_one_row_per_gap():
    assert gaps().count("<tr><td") == 4
