"""Named loads as dots and as one stream each: from figures and reports alone."""

from interview.cards.quantity import Quantity
from interview.lab.results.load_dots import load_dots
from interview.lab.results.load_streams import load_streams
from tests.lab.loads import level, repetition, report, request

NONE = [None, None]
FIGURES = {
    "short": {"values": {"ttft_ms": [100.0, 90.0, 120.0], "tpot_ms": [30.0, *NONE]}},
    "long": {"values": {"ttft_ms": [400.0, *NONE], "e2e_ms": [900.0, *NONE]}},
}
NAMES = ("short", "long", "never")


def test_each_metric_has_a_plot_with_a_row_a_load():
    ttft, tpot = load_dots(FIGURES, NAMES, {"short": 22.3, "long": 22.4}, ())
    assert (ttft.metric.name, tpot.metric.name) == ("ttft_ms", "tpot_ms")
    assert [drawn.row.name for drawn in ttft.plot.rows] == list(NAMES)
    short, long, never = ttft.cells
    assert (short.text, short.spread) == ("100\u00a0ms", "90\u00a0ms to 120\u00a0ms")
    assert (long.spread, never.text) == ("", "–")
    assert ttft.plot.rows[0].limit_x is None
    assert tpot.plot.rows[0].limit_x is not None
    assert tpot.cells[0].limit == "22.3\u00a0ms"
    assert ttft.sentence == "short 100\u00a0ms, long 400\u00a0ms, never not measured."


def test_what_an_experiment_asks_is_shown_when_it_was_measured():
    asked = (Quantity("e2e_ms", "long"), Quantity("neighbour_ttft_ms", "long"))
    shown = [dots.metric.name for dots in load_dots(FIGURES, NAMES, {}, asked)]
    assert shown == ["ttft_ms", "tpot_ms", "e2e_ms"]


def neighbour(sent_ms, of=0):
    return request(sent_ms=sent_ms, tokens=1) | {"of": of}


def one_stream(*neighbours, **changes):
    """A stream that began at 1000 with tokens at 1200, 1230 … 1500."""
    measured = request(event_tokens=[1] * 11, **changes)
    one = repetition(1, [measured, request(1)]) | {"neighbours": list(neighbours)}
    return load_streams(report(level(1, one) | {"name": "beside"}))


def test_a_neighbour_arrives_in_the_gap_that_was_open():
    (stream,) = one_stream(neighbour(1200.5), neighbour(1231), neighbour(1499))
    assert (stream.name, stream.ttft_ms) == ("beside", 200.0)
    assert stream.arrivals == (0, 1, 9)


def test_neighbours_of_others_before_and_after_the_stream_are_not_in_it():
    (stream,) = one_stream(neighbour(1100), neighbour(1501), neighbour(1300, of=1))
    assert stream.arrivals == ()


def test_a_load_without_token_events_or_with_a_crowd_has_no_stream():
    assert one_stream(status="failed") == []
    crowd = level(4, repetition(4, [request(event_tokens=[1] * 11)]))
    assert load_streams(report(crowd)) == []
