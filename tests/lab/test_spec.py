"""What a run asks for: levels, what was stored before there were any, its caps."""

import pytest

from interview.lab.errors import OverCap
from interview.lab.measuring.worker import levels
from interview.lab.runs.spec import Spec


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


NEIGHBOURS = {"requests": 3, "prompt_tokens": 2000, "after_tokens": 10}
SHORT = {"name": "short", "prompt_tokens": 128, "max_tokens": 16}
LONG = {"name": "long", "users": 2, "prompt_tokens": 1000, "max_tokens": 64}


def named(*loads, **others):
    return Spec.of_loads(loads, **others)


def test_named_loads_fill_what_a_run_has_once():
    spec = named(SHORT, LONG | {"requests": 5}, repeat=2, experiment="e")
    assert (spec.levels, spec.requests, spec.repeat) == ([1, 2], [4, 5], 2)
    assert (spec.prompt_tokens, spec.max_tokens) == (1000, 64)
    assert (spec.load_names, spec.total_requests) == (("short", "long"), 18)
    assert spec.is_load
    assert Spec.from_json(spec.to_json()) == spec


def test_one_named_load_of_one_request_is_a_load():
    assert named(SHORT | {"requests": 1}).is_load


def test_plain_loads_are_named_by_their_users():
    spec = Spec("", prompt_tokens=512, max_tokens=8, levels=[1, 64], requests=[4, 128])
    assert spec.load_names == ("1", "64")
    asked = [(x.name, x.users, x.requests, x.max_tokens) for x in spec.asked_loads]
    assert asked == [("1", 1, 4, 8), ("64", 64, 128, 8)]


def test_each_named_load_keeps_its_own_lengths():
    short, long = named(SHORT, LONG | {"neighbours": NEIGHBOURS}).asked_loads
    assert (short.prompt_tokens, short.max_tokens, short.neighbours) == (128, 16, None)
    assert (long.most_at_once, long.longest_prompt) == (8, 2000)
    assert (long.neighbours.requests, long.neighbours.max_tokens) == (3, 1)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"prompt_tokens": 5000}, "5,000 tokens; this lab allows 4,096"),
        ({"max_tokens": 513}, "512 tokens at most"),
        ({"users": 65}, "64 users at once"),
        ({"neighbours": NEIGHBOURS | {"prompt_tokens": 4097}}, "4,097 tokens"),
        ({"neighbours": NEIGHBOURS | {"max_tokens": 600}}, "asked for 600"),
        ({"neighbours": NEIGHBOURS | {"requests": 64}}, "asked for 65"),
    ],
)
def test_every_load_and_its_neighbours_are_held_to_the_caps(changes, sentence):
    named(SHORT, SHORT | {"name": "second", "neighbours": NEIGHBOURS}).check()
    with pytest.raises(OverCap, match=sentence):
        named(SHORT, SHORT | {"name": "second"} | changes).check()


def test_named_loads_are_sent_as_they_are():
    spec = named(SHORT, LONG, repeat=3)
    assert levels(spec) == {"loads": [SHORT, LONG], "repeat": 3, "limits": None}
