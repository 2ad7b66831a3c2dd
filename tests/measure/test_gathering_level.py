"""Windows and the numbers of what arrived in them, with exact answers."""

import pytest

from interview.measure.gathering_level import Heard, gathering_level
from interview.measure.gathering_windows import Window, Windows
from interview.measure.workload import Load
from tests.measure.results import done, failed

MS = 1_000_000
LOAD = Load(users=2, max_tokens=100, joined=True)


def window(users, start_ms, end_ms):
    return Window(users, round(start_ms * MS), round(end_ms * MS))


def stream(user, sent_ms, first_ms, gap_ms, tokens, *, joins=True, n=1, off_ms=0.0):
    """One that has not ended; its stamps are `off_ms` late in each step."""
    heard = Heard(user, joins, sent_ns=round(sent_ms * MS))
    heard.stamps_ns = [
        round((first_ms + off_ms + i * gap_ms) * MS) for i in range(tokens)
    ]
    heard.tokens = [n] * tokens
    return heard


def ended(user, result, *, joins=False):
    heard = Heard(user, joins)
    heard.ended(result)
    return heard


def test_a_window_begins_with_the_first_token_of_the_last_to_join():
    windows = Windows()
    assert windows.join(10) is None
    assert windows.token(0, 40)
    assert windows.join(90) == Window(1, 40, 90)
    assert windows.token(1, 130)
    assert windows.end(400) == Window(2, 130, 400)


def test_a_second_answers_first_token_begins_nothing():
    windows = Windows()
    windows.join(10)
    windows.token(0, 40)
    assert not windows.token(0, 80)
    assert windows.end(400) == Window(1, 40, 400)


def test_two_that_join_at_once_leave_no_window_for_the_first():
    windows = Windows()
    windows.join(10)
    windows.token(0, 40)
    windows.join(90)
    skipped = windows.join(91)
    assert skipped == Window(2, None, 91)
    assert skipped.length_ns == 0
    assert not windows.token(2, 130)
    assert windows.token(1, 140)
    assert windows.end(400) == Window(3, 140, 400)


def test_a_first_token_that_comes_after_the_next_has_joined_gives_no_window():
    windows = Windows()
    windows.join(10)
    windows.join(20)
    windows.token(0, 40)
    assert windows.end(50) == Window(2, None, 50)


def test_nobody_no_window():
    assert Windows().end(5) is None


def test_a_gap_counts_only_when_it_lies_wholly_in_the_window():
    """A step of 20 ms for one; the second joins at 2,010, its token is at 2,110."""
    first = stream(0, 0, 100, 20, 96)  # the last at 2,000
    first.stamps_ns += [(2110 + 40 * i) * MS for i in range(30)]
    first.tokens += [1] * 30
    second = stream(1, 2010, 2110, 40, 30)
    alone = gathering_level(LOAD, window(1, 100, 2010), [first, second], [])
    both = gathering_level(LOAD, window(2, 2110, 3300), [first, second], [])
    assert alone["itl_ms"] | {"n": None} == {
        **dict.fromkeys(("p50", "p90", "p99", "mean", "max"), 20.0),
        "n": None,
    }
    assert alone["itl_ms"]["n"] == 95
    assert (alone["tpot_ms"]["p50"], alone["tpot_ms"]["n"]) == (20.0, 1)
    assert alone["output_tokens_per_s"] == 50.0
    # The gap of 110 ms, in which the second one's prompt was computed, is in neither.
    assert (both["itl_ms"]["max"], both["itl_ms"]["n"]) == (40.0, 2 * 29)
    assert (both["tpot_ms"]["p50"], both["tpot_ms"]["n"]) == (40.0, 2)
    assert both["output_tokens_per_s"] == 50.0
    assert (alone["joined_ttft_ms"], both["joined_ttft_ms"]) == (100.0, 100.0)


@pytest.mark.parametrize("off_ms", [0.0, 0.4, -0.4])
@pytest.mark.parametrize("end_ms", [3100, 3113, 3149])
def test_the_rate_is_of_whole_steps_wherever_the_window_is_cut(off_ms, end_ms):
    """Four streams, a step of 50 ms: 80 tokens a second, not one more or less."""
    streams = [stream(u, 900, 1000, 50, 60, off_ms=u * off_ms) for u in range(3)]
    streams.append(stream(3, 900, 1000, 50, 60))
    level = gathering_level(LOAD, window(4, 1000, end_ms), streams, [])
    assert level["output_tokens_per_s"] == pytest.approx(80, rel=0.01)
    if not off_ms:
        assert level["output_tokens_per_s"] == 80.0
    assert level["tpot_ms"]["p50"] == 50.0


def test_a_pause_between_two_answers_is_in_the_rate_and_in_no_gap():
    before = ended(0, done(0, *range(100, 1100, 20)))
    after = ended(0, done(1085, *range(1280, 2280, 20)))
    level = gathering_level(LOAD, window(1, 100, 2300), [before, after], [])
    assert level["itl_ms"]["max"] == 20.0
    # 99 tokens after the first, from 100 to 2,260 ms.
    assert level["output_tokens_per_s"] == pytest.approx(99 / 2.160, abs=0.001)
    assert (level["ttft_ms"]["p50"], level["ttft_ms"]["n"]) == (195.0, 1)
    assert level["completed"] == 2
    assert level["e2e_ms"]["n"] == 1


def test_tpot_is_one_value_a_stream_over_all_its_answers():
    long, short = ended(0, done(0, *range(100, 1700, 20))), Heard(0, joins=False)
    short.sent_ns, short.stamps_ns = 1690 * MS, [1800 * MS, 1860 * MS]
    short.tokens = [1, 1]
    level = gathering_level(LOAD, window(1, 100, 2000), [long, short], [])
    assert level["tpot_ms"]["n"] == 1
    assert level["tpot_ms"]["p50"] == pytest.approx((79 * 20 + 60) / 80)


def test_several_tokens_in_an_event_are_a_shorter_time_per_token():
    level = gathering_level(
        LOAD, window(1, 100, 2100), [stream(0, 0, 100, 60, 30, n=3)], []
    )
    assert level["tpot_ms"]["p50"] == 20.0
    assert level["itl_ms"]["p50"] == 60.0
    assert level["output_tokens_per_s"] == 50.0
    assert "several-tokens-per-event" in level["notes"]


def test_a_window_below_a_second_has_no_numbers():
    heard = [stream(0, 0, 100, 20, 200)]
    assert gathering_level(LOAD, window(1, 100, 1099.9), heard, []) is None
    assert gathering_level(LOAD, window(1, 100, 1100), heard, []) is not None


def test_a_window_in_which_a_stream_has_no_gap_has_no_numbers():
    heard = [stream(0, 0, 100, 20, 200), stream(1, 50, 100, 20, 1)]
    assert gathering_level(LOAD, window(2, 100, 3000), heard, []) is None


def test_a_window_that_never_began_has_no_numbers():
    assert gathering_level(LOAD, Window(1, None, 9_000 * MS), [], []) is None


def test_what_went_wrong_in_the_window_is_told():
    heard = [
        stream(0, 0, 100, 20, 200),
        ended(0, failed(200, 300)),
        ended(0, failed(3000, 3100)),
    ]
    level = gathering_level(LOAD, window(1, 100, 2000), heard, [9 * MS] * 50)
    assert level["failed"] == 1
    assert "loop-lag" in level["notes"]


def test_short_and_cached_answers_are_told():
    answers = [
        ended(0, done(at, *range(at + 20, at + 620, 20), cached=64))
        for at in (0, 620, 1240)
    ]
    level = gathering_level(LOAD, window(1, 0, 2000), answers, [])
    assert {"short-output", "cached-prompts"} <= set(level["notes"])


def test_an_answer_that_was_cut_by_the_end_is_in_no_count():
    heard = [stream(0, 0, 100, 20, 200)]
    level = gathering_level(LOAD, window(1, 100, 2000), heard, [])
    assert [level[s] for s in ("completed", "failed", "cancelled")] == [0, 0, 0]
