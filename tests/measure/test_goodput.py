import pytest

from interview.measure.goodput import goodput, is_good
from interview.measure.level import level_summary
from interview.measure.load import Level
from interview.measure.workload import Limits, Load
from tests.measure.results import done, failed


@pytest.mark.parametrize(
    ("limits", "good"),
    [
        (Limits(), True),
        (Limits(ttft_ms=100), True),
        (Limits(ttft_ms=99.9), False),
        (Limits(tpot_ms=40), True),
        (Limits(tpot_ms=39), False),
        (Limits(e2e_ms=180), True),
        (Limits(e2e_ms=179), False),
        (Limits(ttft_ms=100, tpot_ms=40, e2e_ms=100), False),
    ],
)
def test_a_good_request_keeps_to_every_limit(limits, good):
    assert is_good(done(0, 100, 140, 180), limits) is good


def test_one_token_keeps_to_any_limit_on_tpot():
    assert is_good(done(0, 100), Limits(tpot_ms=0.1))


def test_a_failed_request_is_never_good():
    assert not is_good(failed(0, 1), Limits(e2e_ms=1000))


def test_goodput_is_over_the_window_of_the_throughput():
    results = [done(0, 100, 200), done(0, 900, 2000), failed(0, 5000)]
    assert goodput(results, Limits(ttft_ms=500)) == {
        "ttft_ms": 500,
        "tpot_ms": None,
        "e2e_ms": None,
        "requests": 1,
        "requests_per_s": 0.5,
        "share": pytest.approx(1 / 3, abs=1e-6),
    }


def test_nothing_completed_has_no_rate():
    found = goodput([failed(0, 1)], Limits(ttft_ms=500))
    assert (found["requests"], found["requests_per_s"], found["share"]) == (0, None, 0)
    assert goodput([], Limits(ttft_ms=500))["share"] is None


def test_without_limits_there_is_no_goodput():
    level = Level((done(0, 100, 200),), stopped=False, timed_out=False)
    assert level_summary(Load(), level, [])["goodput"] is None
    limited = Load(limits=Limits(ttft_ms=100))
    assert level_summary(limited, level, [])["goodput"]["requests"] == 1
