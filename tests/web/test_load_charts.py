"""A load's charts, table and words: nothing is drawn or said that is missing."""

import re
from dataclasses import replace
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string

from interview.lab.results.load_result import LoadResult
from interview.lab.results.load_rows import axis, limit_rows, load_rows
from interview.lab.results.load_table import NOT_SEPARABLE, load_table
from interview.lab.runs.spec import Spec
from interview.web.charts import LoadPoint, load_panel
from interview.web.figures import loads_figure
from interview.web.load_words import load_words
from tests.lab.loads import level, repetition, report, request, told

COLUMNS = ("users", "ttft_ms", "tpot_ms", "output_tokens_per_s")
MANUAL = [
    dict(zip(COLUMNS, cells, strict=True))
    for cells in (("1", "257", "32.3", "29.5"), ("64", "965", "243.8", "239.3"))
]
LIMIT = [
    {"users": 1, "tpot_ms": 22.3, "output_tokens_per_s": 44.9},
    {"users": 8, "tpot_ms": 93.0, "output_tokens_per_s": 86.0},
    {"users": 64, "tpot_ms": 231.5, "output_tokens_per_s": 276.4},
]
BANDS = {
    "tpot_ms": {"low": 29.0, "median": 30.0, "high": 31.5},
    "output_tokens_per_s": {"low": 28.0, "median": 29.5, "high": 30.0},
}
ASKED = Spec("", "length", 512, 128, levels=[1, 4], repeat=2, requests=None)


def repeated(users, rate, engine=None, **changes):
    """A level of two equal repetitions."""
    one = repetition(users, [request(n) for n in range(4)], engine, rate=rate)
    return level(users, one, one, bands=BANDS, rate=rate, **changes)


@pytest.fixture
def load():
    slower = {"tpot_ms": told(60.0, 8), "ttft_ms": told(1234.0, 8)}
    stored = report(repeated(1, 29.5), repeated(4, 88.5, **slower))
    return LoadResult.of(stored, ASKED)


def drawings(html):
    page = ElementTree.fromstring(html.replace("&nbsp;", "\u00a0"))
    return [svg for svg in page.iter("svg") if svg.get("class")]


def marks(drawing, name):
    return [e for e in drawing.iter() if name in (e.get("class") or "").split()]


def shown(template, **context):
    return re.sub(r"\s+", " ", render_to_string(f"lab/{template}.html", context))


def test_all_points_of_a_panel_share_its_axes():
    panel = load_panel(
        [LoadPoint(1, 30)], manual=[LoadPoint(64, 243.8)], limit=[LoadPoint(64, 390)]
    )
    assert panel.ticks[-1].value == 400
    assert panel.dots[0].y == pytest.approx(150 * (1 - 30 / 400), abs=0.01)
    assert panel.manual[0].y == pytest.approx(150 * (1 - 243.8 / 400), abs=0.01)
    assert (panel.dots[0].x, panel.manual[0].x, panel.limit[0].x) == (0, 100, 100)


def test_a_panel_without_own_points_still_has_the_others():
    panel = load_panel([], manual=[LoadPoint(1, 32.3), LoadPoint(64, 243.8)])
    assert (panel.dots, panel.segments, panel.band) == ((), (), "")
    assert len(panel.manual) == 2


def test_the_limit_is_a_line_through_its_points_in_order():
    panel = load_panel([], limit=[LoadPoint(n, n) for n in (64, 1, 8)])
    ends = [(start.users, end.users) for start, end in panel.limit_lines]
    assert ends == [(1, 8), (8, 64)]


def test_a_load_has_a_drawing_for_each_of_its_three_numbers(load):
    html = loads_figure(load_rows(load), manual=MANUAL, limit=LIMIT)
    output, tpot, ttft = drawings(html)
    for drawing, limits in ((output, 2), (tpot, 2), (ttft, 0)):
        assert drawing.get("role") == "img"
        assert len(marks(drawing, "chart__dot")) == 2
        assert len(marks(drawing, "chart__manual")) == 2
        assert len(marks(drawing, "chart__limit")) == limits
    assert output.findtext("desc") == "29.5 at 1 user, 88.5 at 4 users."
    assert ttft.findtext("desc") == "200 at 1 user, 1,234 at 4 users."


def test_a_band_is_drawn_only_where_the_repetitions_have_one(load):
    output, tpot, ttft = drawings(loads_figure(load_rows(load)))
    assert [len(marks(d, "chart__band")) for d in (output, tpot, ttft)] == [1, 1, 0]


def test_the_figure_says_what_the_manual_leaves_open(load):
    html = loads_figure(
        load_rows(load), manual=MANUAL, prompt_tokens=512, output_tokens=128
    )
    assert "Lengths not stated by the manual; compared at our 512/128." in html
    assert "Lengths not stated" not in loads_figure(load_rows(load))


def test_a_load_without_a_level_yet_shows_what_it_will_stand_beside():
    html = loads_figure([], manual=MANUAL, limit=LIMIT)
    assert "No level has ended yet." in html
    assert [len(marks(d, "chart__dot")) for d in drawings(html)] == [0, 0, 0]
    assert "No numbers to draw yet" in loads_figure([])


def test_a_missing_number_is_a_dash_and_no_point(load):
    rows = [*load_rows(load), {"users": 16}]
    html = loads_figure(rows)
    assert [len(marks(d, "chart__dot")) for d in drawings(html)] == [2, 2, 2]
    assert html.count('<td class="num">–</td>') == 3


def test_the_charts_of_a_simulated_load_carry_the_badge(load):
    assert '<span class="badge">simulated</span>' in loads_figure(
        load_rows(load), simulated=True
    )
    assert "simulated" not in loads_figure(load_rows(load))


def test_the_figure_has_no_inline_style_or_script(load):
    html = loads_figure(load_rows(load), manual=MANUAL, limit=LIMIT, simulated=True)
    assert not re.search(r"\sstyle=|<style|<script|\son\w+=", html)


def test_the_axis_has_every_level_and_doubling_counts():
    assert axis(with_levels([1, 12])) == [1, 2, 4, 8, 12, 16, 32, 64]
    assert axis(with_levels([200]))[-2:] == [128, 200]


def test_the_axis_of_a_room_ends_with_its_people():
    assert axis(with_levels([1, 2, 3], gathers=True)) == [1, 2, 3]


def with_levels(levels, **changes):
    return replace(ASKED, levels=levels, **changes)


def simulated_run(**changes):
    known = {"simulated": True, "model": "Qwen/Qwen3-30B-A3B-simulated"}
    return SimpleNamespace(asked=ASKED, **known | changes)


def test_the_limit_of_a_known_machine_grows_with_the_users():
    rows = limit_rows(simulated_run())
    assert [row["users"] for row in rows] == [1, 2, 4, 8, 16, 32, 64]
    assert rows[0]["tpot_ms"] == pytest.approx(22.4, abs=0.3)
    assert [row["tpot_ms"] for row in rows] == sorted(row["tpot_ms"] for row in rows)


def test_an_unknown_model_has_no_limit():
    assert limit_rows(simulated_run(model="somebody/else")) == []


def cells(load, title, name):
    part = next(
        part for part in load_table(load.levels) if part.title.startswith(title)
    )
    return next(row.cells for row in part.rows if row.name == name)


def test_the_table_has_a_column_for_each_level(load):
    assert cells(load, "Wait", "P50") == ("200\u00a0ms", "1,234\u00a0ms")
    assert cells(load, "Time per", "P50") == ("30.0\u00a0ms", "60.0\u00a0ms")
    assert cells(load, "Output", "Tokens per second")[1] == "88.5\u00a0tok/s"
    assert cells(load, "Time per", "P50 of the repetitions")[0] == "29.0 to 31.5"
    assert (
        cells(load, "Output", "Prompt tokens from the prefix cache")[0] == "25\u00a0%"
    )


def test_a_p99_of_few_values_is_marked(load):
    assert cells(load, "Wait", "P99")[0] == "200\u00a0ms*"


def test_an_engine_that_had_other_traffic_is_not_split(load):
    assert cells(load, "The engine", "Queue, mean") == (NOT_SEPARABLE, NOT_SEPARABLE)
    assert cells(load, "The engine", "Preemptions") == ("–", "–")


def test_the_engines_own_times_are_shown_where_they_are_the_levels():
    engine = {"queue_ms": 12.4, "prefill_ms": 180.0, "rest_ms": 8.0}
    found = LoadResult.of(report(repeated(1, 29.5, engine)), ASKED)
    assert cells(found, "The engine", "Queue, mean") == ("12\u00a0ms",)
    assert cells(found, "The engine", "Rest of TTFT, mean") == ("8\u00a0ms",)


def test_goodput_has_a_part_only_where_limits_were_set(load):
    titles = [part.title for part in load_table(load.levels)]
    assert not any(title.startswith("Goodput") for title in titles)
    good = {"ttft_ms": 500.0, "requests": 6, "requests_per_s": 1.5, "share": 0.75}
    found = LoadResult.of(report(repeated(1, 29.5, goodput=good)), ASKED)
    assert cells(found, "Goodput", "of all") == ("75\u00a0%",)
    titles = [part.title for part in load_table(found.levels)]
    assert "Goodput: TTFT up to 500\u00a0ms" in titles


def test_a_level_where_nothing_completed_has_dashes_and_no_point():
    failed = [request(0, status="failed")]
    nothing = told(None, 0)
    empty = dict.fromkeys(("ttft_ms", "tpot_ms", "itl_ms", "e2e_ms"), nothing)
    one = repetition(1, failed, rate=None, **empty)
    found = LoadResult.of(report(level(1, one, rate=None, **empty)), ASKED)
    assert cells(found, "Wait", "P50") == ("–",)
    assert cells(found, "Requests", "Failed") == ("1",)
    figure = loads_figure(load_rows(found), manual=MANUAL)
    assert not any(marks(drawing, "chart__dot") for drawing in drawings(figure))
    alone = loads_figure(load_rows(found))
    assert "No numbers to draw: no request was completed." in alone
    assert "1 user: no request was completed." in alone


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"ttft_ms": 200.0}, "200\u00a0ms to the first token for each"),
        ({"output_tokens_per_s": 88.5}, "88.5\u00a0tok/s together"),
        (
            {"output_tokens_per_s": 88.5, "tpot_ms": 60.0},
            "88.5\u00a0tok/s together, 60.0\u00a0ms per token for each",
        ),
    ],
)
def test_words_of_a_load_leave_out_what_is_missing(known, words):
    assert load_words({"users": 4, **known}) == f"4 users: {words}"


def test_the_summary_says_what_more_users_got_and_paid(load):
    run = SimpleNamespace(status="completed", simulated=False)
    html = shown("_load_summary", load=load, run=run)
    assert "4 users got 3.0 times the output of one" in html
    assert "each waited 2.0 times as long per token" in html


def test_the_notes_name_users_that_were_never_in_flight_together(load):
    one = repetition(4, [request()])
    one["load"]["reached_users"] = 3
    found = LoadResult.of(report(level(4, one)), ASKED)
    run = SimpleNamespace(simulated=True, first_after_start=False, spec={})
    html = shown("_load_notes", load=found, run=run, asked=ASKED)
    assert "With 4 users at most 3 requests were in flight at once." in html
    assert "no answer to “what did you measure?”" in html


def test_the_live_instrument_has_a_place_for_every_level_and_a_twin_of_the_lanes():
    run = SimpleNamespace(status="running", simulated=True)
    html = shown("_load_instrument", run=run, asked=ASKED, place=None)
    assert html.count("data-level ") == 2
    assert re.search(r'<canvas[^>]* role="img" aria-label="[^"]+"', html)
    assert "<caption>What each user does now, once a second</caption>" in html
    assert "stall: a gap over twice the median" in html
