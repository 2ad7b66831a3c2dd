import pytest

from interview.measure.errors import UsageError
from interview.measure.fields import plan_of, target_of
from interview.measure.workload import Neighbours

BESIDE = {"requests": 2, "prompt_tokens": 4000, "after_tokens": 20}


def loads(*given, **spec):
    return plan_of({"loads": list(given), **spec}).loads


def test_what_a_load_leaves_out_is_the_specs_and_then_the_default():
    short, long = loads(
        {"name": "short", "prompt_tokens": 128},
        {"name": "long", "users": 2, "requests": 5, "fresh_prompt": False},
        prompt_tokens=4000,
        max_tokens=64,
        warmup=3,
    )
    assert (short.name, short.users, short.requests) == ("short", 1, 4)
    assert (short.prompt_tokens, short.max_tokens, short.warmup) == (128, 64, 3)
    assert (long.prompt_tokens, long.max_tokens) == (4000, 64)
    assert (long.users, long.requests, long.fresh_prompt) == (2, 5, False)
    assert (short.fresh_prompt, short.ignore_eos, short.seed) == (True, True, 1)


def test_null_is_left_out_except_for_neighbours():
    with_, without = loads(
        {"name": "with", "max_tokens": None},
        {"name": "without", "neighbours": None},
        neighbours=BESIDE,
        max_tokens=99,
    )
    assert with_.max_tokens == 99
    assert with_.neighbours == Neighbours(2, 4000, 1, 20)
    assert without.neighbours is None


def test_users_decide_the_requests_and_the_warm_up():
    one, many = loads({"name": "1"}, {"name": "64", "users": 64})
    assert (one.requests, one.warmup) == (4, 1)
    assert (many.requests, many.warmup) == (192, 4)


def test_a_single_named_load_is_a_series():
    plan = plan_of({"loads": [{"name": "1"}]})
    assert (plan.is_series, plan.is_load) == (True, True)


def test_a_plain_load_may_have_neighbours():
    plan = plan_of({"neighbours": BESIDE})
    assert (plan.is_series, plan.is_load) == (False, True)
    (load,) = plan.loads
    assert (load.name, load.connections, load.is_crowd) == (None, 3, True)
    assert not plan_of({}).loads[0].is_crowd


def test_a_prompt_that_is_not_fresh_has_the_same_words_in_all_repetitions():
    same = plan_of({"fresh_prompt": False, "repeat": 3, "seed": 7})
    assert [r.load.seed for r in same.repetitions()] == [7, 8, 9]
    assert [r.words_seed for r in same.repetitions()] == [7, 7, 7]
    fresh = plan_of({"repeat": 3, "seed": 7})
    assert [r.words_seed for r in fresh.repetitions()] == [7, 8, 9]


def test_a_spec_may_have_all_of_it():
    spec = {"url": "http://h:1", "model": "m", "loads": [], "neighbours": BESIDE}
    assert target_of(spec).model == "m"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "1 to 8"),
        ({"name": "a"}, "list"),
        ([{"name": str(n)} for n in range(9)], "1 to 8"),
        (["a"], "object with a name"),
        ([{}], "object with a name"),
        ([{"name": 1}], "object with a name"),
        ([{"name": "A b"}], "'A b' is no name"),
        ([{"name": "a-"}], "no name"),
        ([{"name": "a"}, {"name": "a"}], "different names"),
        ([{"name": "a", "seed": 3}], "Load 'a': Unknown field 'seed'"),
        ([{"name": "a", "users": 0}], "Load 'a': users"),
        ([{"name": "a", "requests": [1]}], "Load 'a': requests"),
        ([{"name": "a", "prompt": "hi"}], "'prompt'"),
    ],
)
def test_wrong_loads_are_refused(given, said):
    with pytest.raises(UsageError, match=said):
        plan_of({"loads": given})


@pytest.mark.parametrize("other", [{"levels": [1]}, {"prompt": "x"}])
def test_loads_go_with_no_levels_and_a_prompt_with_no_length(other):
    with pytest.raises(UsageError, match="not both"):
        loads({"name": "a", "prompt_tokens": 5}, **other)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"requests": 0}, "neighbours: requests must be from 1 to 64"),
        ({"requests": 65}, "neighbours: requests"),
        ({"requests": None}, "neighbours: requests must be a whole number"),
        ({"prompt_tokens": None}, "neighbours: prompt_tokens"),
        ({"after_tokens": None}, "neighbours: after_tokens"),
        ({"users": 2}, "'users' in neighbours"),
        ({"after_tokens": 64}, "after 128 tokens, but an answer has 128"),
    ],
)
def test_wrong_neighbours_are_refused(changes, said):
    with pytest.raises(UsageError, match=said):
        plan_of({"neighbours": BESIDE | changes, "max_tokens": 128})


def test_too_many_neighbours_are_refused():
    with pytest.raises(UsageError, match="for each of 200 users"):
        plan_of({"users": 200, "neighbours": BESIDE})
    with pytest.raises(UsageError, match="100000 in all"):
        plan_of({"requests": 60_000, "neighbours": BESIDE})
    with pytest.raises(UsageError, match="object"):
        plan_of({"neighbours": 3})
