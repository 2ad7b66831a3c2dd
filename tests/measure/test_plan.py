import pytest

from interview.measure.errors import UsageError
from interview.measure.fields import plan_of
from interview.measure.workload import Limits


def test_levels_are_measured_in_order_each_with_its_repetitions():
    plan = plan_of({"levels": [1, 4], "repeat": 2})
    places = [(r.level, r.number, r.load.users) for r in plan.repetitions()]
    assert places == [(0, 0, 1), (0, 1, 1), (1, 0, 4), (1, 1, 4)]
    assert {(r.levels, r.repetitions) for r in plan.repetitions()} == {(2, 2)}


def test_row_161_each_repetition_has_a_seed_of_its_own():
    plan = plan_of({"levels": [1, 4], "repeat": 3, "seed": 7})
    assert [r.load.seed for r in plan.repetitions()] == [7, 8, 9] * 2


def test_a_level_is_warmed_up_once():
    plan = plan_of({"levels": [1, 16], "repeat": 2})
    assert [r.load.warmup for r in plan.repetitions()] == [1, 0, 4, 0]


@pytest.mark.parametrize(
    ("fields", "requests"),
    [
        ({"levels": [1, 4, 64]}, [4, 12, 192]),
        ({"levels": [1, 64], "requests": [4, 128]}, [4, 128]),
        ({"levels": [1, 64], "requests": 9}, [9, 9]),
        ({"users": 3, "requests": [5]}, [5]),
        ({"levels": [256]}, [768]),
    ],
)
def test_requests_are_of_each_level(fields, requests):
    assert [load.requests for load in plan_of(fields).loads] == requests


@pytest.mark.parametrize(
    ("fields", "is_series", "is_load"),
    [
        ({}, False, False),
        ({"requests": 9}, False, False),
        ({"users": 2}, False, True),
        ({"levels": [2]}, False, True),
        ({"repeat": 2}, True, True),
        ({"levels": [1, 2]}, True, True),
    ],
)
def test_a_plan_knows_whether_it_is_a_series(fields, is_series, is_load):
    plan = plan_of(fields)
    assert (plan.is_series, plan.is_load) == (is_series, is_load)


def test_limits_are_of_every_level():
    plan = plan_of({"levels": [1, 2], "limits": {"ttft_ms": 500, "e2e_ms": None}})
    assert {load.limits for load in plan.loads} == {Limits(ttft_ms=500)}
    assert plan_of({"limits": {"ttft_ms": None}}).loads[0].limits is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"levels": [1], "users": 1}, "users or levels"),
        ({"levels": []}, "1 to 8"),
        ({"levels": list(range(1, 10))}, "1 to 8"),
        ({"levels": 4}, "list"),
        ({"levels": [0]}, "levels"),
        ({"levels": [257]}, "256"),
        ({"levels": [4, True]}, "levels"),
        ({"levels": [4, 4]}, "once"),
        ({"levels": [1, 2], "requests": [3]}, "1 numbers for 2 levels"),
        ({"levels": [1, 2], "requests": [3, 0]}, "requests"),
        ({"requests": "3"}, "requests"),
        ({"repeat": 0}, "repeat"),
        ({"repeat": 21}, "repeat"),
        ({"limits": {"ttft": 5}}, "'ttft'"),
        ({"limits": {"ttft_ms": 0}}, "ttft_ms"),
        ({"limits": [5]}, "limits"),
    ],
)
def test_a_wrong_plan_is_refused(fields, said):
    with pytest.raises(UsageError, match=said):
        plan_of(fields)
