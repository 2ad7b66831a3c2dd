import pytest

from interview.measure.errors import StreamError
from interview.measure.sse import EVENT_LIMIT_BYTES, Splitter
from tests.measure.streams import BASE

STREAM = (
    "\ufeff: a comment\n\n"
    'data: {"text": "caf\u00e9 \u2028 \u0085"}\r\n\r\n'
    "event: message\rid: 1\rdata:no blank\r\r"
    "data: first\ndata\ndata:  third\nretry: 9\n\n"
    "data:\n\n"
    "nodata: x\n\n"
    "data: \U0001f30d\n\r\n"
    "data: never finished\n"
).encode()
EVENTS = [
    ("", '{"text": "caf\u00e9 \u2028 \u0085"}'),
    ("message", "no blank"),
    ("", "first\n\n third"),
    ("", ""),
    ("", "\U0001f30d"),
]


def events_of(*reads):
    splitter = Splitter()
    return [
        event
        for stamp, read in enumerate(reads)
        for event in splitter.feed(stamp, read)
    ]


def contents(events):
    return [(event.name, event.data) for event in events]


def test_events_follow_the_standard():
    assert contents(events_of(STREAM)) == EVENTS


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_a_cut_at_any_byte_changes_nothing(end):
    stream = STREAM.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", end)
    for cut in range(len(stream) + 1):
        assert contents(events_of(stream[:cut], stream[cut:])) == EVENTS


def test_one_byte_reads_change_nothing():
    reads = [bytes([byte]) for byte in STREAM]
    assert contents(events_of(*reads)) == EVENTS


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_an_event_has_the_stamp_of_the_read_that_ended_it(end):
    stream = b"".join(data for _, data in BASE).replace(b"\n", end)
    blank_line = end * 2
    # A CR CR is whole before the LF that makes it CRLF CRLF.
    tail = 1 if end == b"\r\n" else 0
    for cut in range(1, len(stream)):
        whole_before = stream[: cut + tail].count(blank_line)
        stamps = [event.stamp_ns for event in events_of(stream[:cut], stream[cut:])]
        assert stamps.count(0) == whole_before
        assert len(stamps) == stream.count(blank_line)


def test_a_stream_of_carriage_returns_is_not_late():
    splitter = Splitter()
    assert [e.data for e in splitter.feed(1, b"data: a\r\r")] == ["a"]
    assert [e.data for e in splitter.feed(2, b"data: b\r\r")] == ["b"]


def test_a_line_feed_after_a_late_carriage_return_is_no_blank_line():
    splitter = Splitter()
    assert splitter.feed(1, b"data: a\r") == []
    assert splitter.feed(2, b"") == []
    assert splitter.feed(3, b"\ndata: b\r") == []
    assert [e.data for e in splitter.feed(4, b"\n\r\n")] == ["a\nb"]


def test_only_the_first_mark_is_dropped():
    mark = b"\xef\xbb\xbf"
    assert contents(events_of(mark + b"data: " + mark + b"\n\n")) == [("", "\ufeff")]
    assert contents(events_of(mark + mark + b"data: x\n\n")) == []


def test_broken_characters_are_replaced():
    assert contents(events_of(b"data: \xff\n\n")) == [("", "\ufffd")]


WHOLE = b"data: x\n\n"


@pytest.mark.parametrize(
    "reads",
    [
        [WHOLE, WHOLE],
        [b"data: a\n", WHOLE],
        [b"id: ", WHOLE],
        [b"event: error\n", WHOLE],
        [b"data: a\r", WHOLE],
        [b"\xef\xbb\xbf" + WHOLE],
        [b"data: a\rdata: b\n\n"],
        [b"data: a\nd", b"ata: b\n\n"],
    ],
    ids=["event", "data", "field", "name", "CR", "mark", "CR inside", "line begun"],
)
def test_a_whole_event_in_a_read_is_read_like_any_other(reads):
    reads = [WHOLE, *reads, WHOLE]
    assert contents(events_of(*reads)) == contents(events_of(b"".join(reads)))


def test_a_whole_event_in_a_read_has_the_same_limit():
    with pytest.raises(StreamError, match="16 MiB"):
        events_of(WHOLE, b"data: " + b"x" * (EVENT_LIMIT_BYTES + 1) + b"\n\n")


@pytest.mark.parametrize("piece", [b"x", b"x\ndata: "], ids=["line", "lines"])
def test_an_event_above_the_limit_is_refused(piece):
    reads = [b"data: ", *[piece + b"x" * 2**20] * (EVENT_LIMIT_BYTES // 2**20 + 1)]
    with pytest.raises(StreamError, match="16 MiB"):
        events_of(*reads)


def test_an_event_just_below_the_limit_is_given():
    data = b"x" * (EVENT_LIMIT_BYTES - 16)
    assert len(events_of(b"data: ", data, b"\n\n")[0].data) == len(data)
