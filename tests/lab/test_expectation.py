"""How long a load will take: by the roofline, then by the loads that ran here."""

import pytest

from interview.lab.errors import OverCap
from interview.lab.models import Run, Status
from interview.lab.runs.expectation import (
    Expectation,
    duration,
    expectation,
    modelled_s,
)
from interview.lab.runs.presets import PRESETS
from interview.lab.runs.spec import Spec
from interview.spark.closedloop import Load, run_load
from interview.spark.machine import build_front_end
from interview.spark.scheduler import Limits
from tests.lab.cast import later

MODEL = "Qwen/Qwen3-30B-A3B"


def load(*levels, repeat=1, requests=None, **lengths):
    lengths = {"prompt_tokens": 512, "max_tokens": 128} | lengths
    return Spec("", levels=list(levels), repeat=repeat, requests=requests, **lengths)


@pytest.mark.parametrize(("users", "requests"), [(1, 4), (4, 12), (16, 48), (64, 128)])
def test_the_roofline_is_near_the_simulated_engine(users, requests):
    spec = load(users, requests=[requests], repeat=2)
    traces = run_load(Load(users, requests), build_front_end(Limits()))
    simulated_s = max(trace.tokens_at[-1] for trace in traces)
    _, without_warmup_s = modelled_s(spec, MODEL)
    assert without_warmup_s == pytest.approx(simulated_s, rel=0.05)


def test_each_level_is_warmed_up_once():
    first, second, third = modelled_s(load(1, repeat=3), MODEL)
    assert first == pytest.approx(second * 5 / 4)
    assert second == third


def test_a_dense_model_is_slower_alone_and_faster_loaded():
    alone, loaded = load(1), load(64)
    dense = "Qwen/Qwen3-8B-simulated"
    assert sum(modelled_s(alone, dense)) > sum(modelled_s(alone, MODEL))
    assert sum(modelled_s(loaded, dense)) < sum(modelled_s(loaded, MODEL))


def test_past_runs_scale_it_by_their_median():
    spec, own = load(1), sum(modelled_s(load(1), MODEL))
    past = [(spec, own / 10), (load(64), sum(modelled_s(load(64), MODEL))), (spec, own)]
    found = expectation(spec, MODEL, past)
    assert found.seconds == pytest.approx(own)
    assert found.runs == 3
    fast = expectation(load(4, 64), MODEL, past[:1])
    assert fast.seconds == pytest.approx(sum(modelled_s(load(4, 64), MODEL)) / 10)
    assert fast.origin == "by the last run on this endpoint"


def test_the_longest_repetition_is_told():
    found = expectation(load(1, 64, repeat=2), MODEL)
    assert found.longest_s == max(modelled_s(load(1, 64, repeat=2), MODEL))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (45.4, "45 s"), (89, "89 s"), (95, "2 min"), (645, "11 min")],
)
def test_a_duration_is_rounded_as_one_says_it(seconds, said):
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Expectation(1900, 10, 0), "allows 30 min for a whole run"),
        (Expectation(1000, 400, 2), "allows 5 min"),
    ],
)
def test_a_duration_above_a_cap_is_refused_with_a_sentence(found, sentence):
    with pytest.raises(OverCap, match=sentence):
        found.check(1800, 300)
    found.check(found.seconds, found.longest_s)


def finished(make_run, worker, took_s, status=Status.COMPLETED, **spec):
    """After those before it: one endpoint runs one at a time."""
    fields, began_s = load(1).to_json() | spec, 60 * Run.objects.count()
    run = make_run(**fields)
    claim = run.claim(worker, later(began_s))
    run.finish(claim, status, later(began_s + took_s), report=None)
    return run


def test_only_loads_that_completed_here_tell_the_pace(make_run, worker, shared):
    finished(make_run, worker, 1, Status.CANCELLED)
    finished(make_run, worker, 1, levels=[1], requests=[1])
    elsewhere = finished(make_run, worker, 1)
    Run.objects.filter(pk=elsewhere.pk).update(endpoint="elsewhere:8000")
    shared.LAB_MODEL = "another"
    finished(make_run, worker, 1)
    shared.LAB_MODEL = "a-model"
    assert Run.objects.expect(load(1)).runs == 0
    finished(make_run, worker, 7)
    found = Run.objects.expect(load(1))
    assert (found.runs, found.seconds) == (1, pytest.approx(7))


def test_again_is_held_to_the_caps_of_today(make_run, alice, settings):
    preset = PRESETS["two-loads-full"]
    run = make_run(**load(*preset.levels, repeat=preset.repeat).to_json())
    settings.LAB_MAX_RUN_SECONDS = 60
    with pytest.raises(OverCap, match="about 11 min, by the roofline"):
        run.again(alice, later(1))


def test_a_single_request_is_not_estimated_away(make_run, settings):
    settings.LAB_MAX_RUN_SECONDS = 1
    assert make_run(max_tokens=512)


LOAD = {"name": "a", "users": 1, "requests": 4, "prompt_tokens": 512, "max_tokens": 128}
BESIDE = {"requests": 4, "prompt_tokens": 4000, "after_tokens": 20}


def seconds_of(**changes):
    return modelled_s(Spec.of_loads([LOAD | changes], repeat=2), MODEL)


def test_a_named_load_takes_as_long_as_the_same_without_a_name():
    assert seconds_of() == modelled_s(load(1, repeat=2, requests=[4]), MODEL)


def test_neighbours_cost_their_prompts_and_no_warm_up():
    plain, beside = seconds_of(), seconds_of(neighbours=BESIDE)
    assert beside[1] > 1.5 * plain[1]
    assert beside[0] - beside[1] == pytest.approx(plain[0] - plain[1])


def test_a_prompt_that_comes_again_is_cached_after_the_warm_up():
    fresh, same = seconds_of(), seconds_of(fresh_prompt=False)
    assert same[1] < fresh[1]
    assert same[0] - same[1] == pytest.approx(fresh[0] - fresh[1])


def test_loads_add_up_each_with_its_own_lengths():
    two = Spec.of_loads([LOAD, LOAD | {"name": "b", "prompt_tokens": 4000}])
    first, second = modelled_s(two, MODEL)
    assert first == seconds_of()[0]
    assert second == seconds_of(prompt_tokens=4000)[0] > first
