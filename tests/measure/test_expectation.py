from interview.measure.expectation import expected_s
from interview.measure.load import Level
from interview.measure.measured import Measured
from interview.measure.workload import Load, Plan
from tests.measure.results import done, failed

PLAN = Plan((Load(users=2, requests=5), Load(users=4, requests=5)), repeat=2)
FIRST, SECOND, OTHER, _ = PLAN.repetitions()


def took(repetition, seconds, stopped=False):
    results = (done(1000, 1100, 1000 + seconds * 1000),)
    return Measured(repetition, Level(results, stopped, timed_out=False), {})


def test_the_first_repetition_is_expected_from_the_warm_ups():
    # Three rounds of two users.
    assert expected_s(FIRST, [], [done(0, 100, 1000), done(0, 100, 2000)]) == 4.5


def test_more_users_than_warm_ups_are_expected_to_be_slower():
    (many,) = Plan((Load(users=64, requests=128),)).repetitions()
    # Two rounds of 64, each √16 times the warm-ups of 4.
    assert expected_s(many, [], [done(0, 100, 500)] * 4) == 2 * 4 * 0.5


def test_a_later_repetition_is_expected_to_take_as_long():
    assert expected_s(SECOND, [took(FIRST, 7)], []) == 7


def test_another_level_or_a_stopped_repetition_says_nothing():
    assert expected_s(OTHER, [took(SECOND, 7)], []) is None
    assert expected_s(SECOND, [took(FIRST, 7, stopped=True)], []) is None


def test_nothing_is_expected_without_a_warm_up():
    assert expected_s(FIRST, [], []) is None
    assert expected_s(FIRST, [], [failed(0, 1)]) is None
