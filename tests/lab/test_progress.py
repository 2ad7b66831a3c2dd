"""How far a run is, and how long it has left at its own pace."""

import pytest

from interview.lab.runs.progress import Progress
from tests.lab.cast import token
from tests.lab.loads import level_event


def load(expected_s=100.0):
    """Two repetitions, the second three times as long as the first."""
    return Progress([1.0, 3.0], expected_s, None)


def end(warmup=False):
    return {"k": "request", "t_us": 0, "stream": 0, "warmup": warmup, "request": {}}


def told(progress, *events):
    for event in events:
        progress.take(event)
    return progress


def test_before_its_first_level_nothing_is_done():
    assert told(load(), {"k": "hello", "t_us": 0}, end(warmup=True)).share == 0


def test_a_level_counts_by_its_modelled_time():
    progress = told(load(), level_event("started", 1), *[end()] * 2)
    assert progress.share == 0.125
    told(progress, end(), end(), level_event("ended", 1))
    assert progress.share == 0.25
    told(progress, level_event("started", 4, requests=6), *[end()] * 3)
    assert progress.share == 0.25 + 0.75 / 2
    assert told(progress, *[end()] * 9).share == 1


def test_a_single_request_counts_by_its_tokens():
    progress = Progress([2.0], 10.0, 40)
    assert told(progress, token("a", 1), token("b", 2, n=9), end()).share == 0.25


def test_tokens_of_a_load_say_nothing():
    assert told(load(), level_event("started", 1), token("a", 1)).share == 0


def test_at_the_start_the_expectation_stands():
    assert load(60.0).left_s(0) == 60


def test_at_the_expected_pace_the_rest_is_left():
    progress = told(load(), level_event("started", 1), level_event("ended", 1))
    assert progress.left_s(25) == pytest.approx(75)


def test_a_slow_run_has_more_left_and_a_fast_one_less():
    progress = told(load(), level_event("started", 1), level_event("ended", 1))
    assert 75 < progress.left_s(50) < 150
    assert 37 < progress.left_s(10) < 75


def test_a_run_without_an_expectation_has_nothing_left():
    assert load(0.0).left_s(5) == 0
