"""What a run asks for: levels, what was stored before there were any, its caps."""

import pytest

from interview.lab.errors import OverCap
from interview.lab.spec import Spec


def test_a_plain_spec_is_one_request():
    spec = Spec("Why?")
    assert not spec.is_load
    assert (spec.level_requests, spec.total_requests) == ([(1, 1)], 1)


@pytest.mark.parametrize(
    "changes", [{"levels": [2]}, {"repeat": 2}, {"requests": None}, {"requests": [2]}]
)
def test_more_than_one_request_is_a_load(changes):
    assert Spec("Why?", **changes).is_load


def test_requests_are_given_or_three_rounds_and_four_at_least():
    given = Spec("Why?", levels=[1, 64], requests=[4, 128])
    assert given.level_requests == [(1, 4), (64, 128)]
    own = Spec("Why?", levels=[1, 64], requests=None, repeat=2)
    assert own.level_requests == [(1, 4), (64, 192)]
    assert own.total_requests == 392


def test_a_spec_comes_back_from_its_json():
    limits = {"ttft_ms": 500.0}
    spec = Spec("Why?", levels=[1, 4], repeat=3, requests=None, limits=limits)
    assert Spec.from_json(spec.to_json()) == spec


@pytest.mark.parametrize(("users", "is_load"), [(1, False), (8, True)])
def test_a_spec_stored_before_levels_still_loads(users, is_load):
    stored = Spec("Why?").to_json() | {"users": users}
    for name in ("levels", "repeat", "requests", "limits"):
        del stored[name]
    spec = Spec.from_json(stored)
    assert (spec.levels, spec.requests) == ([users], [users])
    assert (spec.repeat, spec.limits, spec.is_load) == (1, None, is_load)
    assert stored["users"] == users


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"levels": [4, 1], "requests": None}, "must rise"),
        ({"levels": [1, 1], "requests": None}, "must rise"),
        ({"levels": [0, 1], "requests": None}, "at least one user"),
        ({"levels": []}, "needs a prompt"),
        ({"levels": [1, 4], "requests": [1]}, "for each level"),
        ({"levels": [4], "requests": [0]}, "one request"),
        ({"levels": [65], "requests": None}, "allows 64 users at once"),
        ({"levels": list(range(1, 10)), "requests": None}, "8 levels at most"),
        ({"repeat": 21}, "20 times at most"),
        ({"repeat": 0}, "needs a prompt"),
    ],
)
def test_a_load_that_cannot_be_is_refused_with_a_sentence(changes, sentence):
    with pytest.raises(OverCap, match=sentence):
        Spec("Why?", **changes).check()
