from dataclasses import replace

import pytest

from interview.measure.throughput import (
    output_tokens_per_s,
    peak_tokens_per_s,
    reached_users,
    steady_tokens_per_s,
)
from tests.measure.results import done, failed


def test_throughput_runs_from_the_first_t0_to_the_last_token():
    results = [done(0, 500, 1000), done(200, 1500, 2000, ended=2500)]
    assert output_tokens_per_s(results) == 2.0


def test_no_completed_request_has_no_throughput():
    assert output_tokens_per_s([]) is None
    assert peak_tokens_per_s([]) is None
    assert steady_tokens_per_s([], 1) is None


def test_row_22_the_peak_counts_tokens_not_events():
    results = [done(0, *range(50, 2000, 50), user=user, n=5) for user in range(4)]
    assert peak_tokens_per_s(results) >= output_tokens_per_s(results)


def test_the_peak_of_less_than_a_second_is_not_known():
    assert peak_tokens_per_s([done(0, 100, 900)]) is None


def test_tokens_that_no_event_counted_are_spread_over_the_events():
    assert peak_tokens_per_s([done(0, 500, 1500, tokens=8)]) == 4.0


def test_row_179_steady_is_while_all_users_are_busy():
    results = [
        done(0, 1000, 2000, 3000, 4000, user=0),
        done(1000, 1500, 2500, 3500, user=1, ended=3500),
    ]
    # Busy together from 1000 to 3500: 1500, 2000, 2500, 3000, 3500.
    assert steady_tokens_per_s(results, 2) == pytest.approx(5 / 2.5)


def test_row_180_tokens_count_by_their_own_time():
    results = [
        done(0, 100, 2900, user=0),
        done(500, 600, 1000, user=1),
        done(1000, 1100, 3000, user=1),
    ]
    assert steady_tokens_per_s(results, 2) == pytest.approx(4 / 2.4)


def test_users_who_were_never_busy_together_have_no_steady_rate():
    results = [done(0, 100, 200, user=0), done(300, 400, 500, user=1)]
    assert steady_tokens_per_s(results, 2) is None
    assert steady_tokens_per_s([done(0, 100)], 2) is None


def test_failed_requests_keep_a_user_busy_and_give_no_tokens():
    results = [
        done(0, 500, 1000, user=0),
        failed(0, 1000, user=1),
    ]
    assert steady_tokens_per_s(results, 2) == 2.0


def test_a_request_that_was_cut_streamed_as_long_as_it_was_there():
    whole = [done(0, 100, 200, 300, 400, user=user) for user in range(2)]
    cut = [
        replace(done(400, 500, 600, 700, user=user), status="cancelled", tokens=None)
        for user in range(2)
    ]
    cut_early = replace(whole[0], status="cancelled", tokens=None)
    silent = replace(cut_early, event_stamps_ns=(), event_tokens=(), user=1)
    assert steady_tokens_per_s([*whole, *cut], 2) == pytest.approx(14 / 0.7)
    assert steady_tokens_per_s([cut_early, silent], 2) == pytest.approx(4 / 0.4)


def test_reached_users_are_those_in_flight_at_once():
    results = [done(0, 10, ended=20), done(5, 8, ended=9), done(20, 30), done(9, 12)]
    assert reached_users(results) == 2
    assert reached_users([]) == 0
