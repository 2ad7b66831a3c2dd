"""Every experiment on the simulated machine, on its virtual clock.

With the effect at work each claim agrees. With its cause switched off the claim is
refuted, and of a measurement that is spoiled nothing can be told.
"""

import pytest

from interview.lab.experiments.verdict import Outcome
from interview.spark.machine import Options
from tests.experiments.shelf import EXPERIMENTS, decisive, without_neighbours
from tests.experiments.virtual_run import VirtualRun

CAUSES = {
    "two-loads, one request at a time": (
        Options(token_budget=1),
        {"more-output", "slower-tokens"},
    ),
    "moe-batch-curve, dense": (
        Options(dense=True),
        {"early", "not-like-3b", "shared-output"},
    ),
    "long-prompt, dense": (Options(dense=True), {"floor"}),
    "same-prompt-twice, no cache": (Options(prefix_cache=False), {"sooner"}),
    "neighbour-prefill, one step": (Options(token_budget=8192), {"bounded"}),
    "tpot-is-not-itl, many steps": (
        Options(token_budget=8),
        {"p99-blind", "mean-blind", "p99-sees"},
    ),
}
"""An experiment and what is switched off, how, and the claims that it refutes."""

TROUBLE = {
    "failing": (1, "not every request was completed"),
    "strangers": (1, "the server had requests of others"),
    "ends_after": (16, "the answers were shorter than asked for"),
}

SEVERAL_REQUESTS = [
    "long-prompt",
    "neighbour-prefill",
    "same-prompt-twice",
    "answer-length",
    "tpot-is-not-itl",
]
"""Of one user: their spread is known without repetitions."""


def outcomes(experiment, options=None):
    found = VirtualRun(options or Options()).verdicts(experiment)
    return {claim: verdict.outcome for claim, verdict in found.items()}


def those(found, outcome):
    return {claim for claim, its in found.items() if its is outcome}


def test_eight_experiments_are_written_and_each_has_claims():
    assert len(EXPERIMENTS) >= 8
    for experiment in EXPERIMENTS.values():
        assert experiment.written
        assert len(experiment.claims) >= 2, experiment.id


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_claim_agrees_on_the_simulated_spark(name):
    found = VirtualRun().verdicts(EXPERIMENTS[name]).values()
    assert [v.sentence for v in found if v.outcome is not Outcome.AGREES] == []


@pytest.mark.parametrize("case", CAUSES)
def test_a_claim_is_refuted_when_its_cause_is_switched_off(case):
    options, claims = CAUSES[case]
    name = case.partition(",")[0]
    found = outcomes(decisive(EXPERIMENTS[name]), options)
    assert claims <= those(found, Outcome.REFUTES), found


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("neighbour-prefill", {"stall"}),
        ("tpot-is-not-itl", {"p99-blind", "mean-blind", "p99-sees"}),
    ],
)
def test_a_stall_is_refuted_when_no_neighbour_comes(name, claims):
    found = outcomes(without_neighbours(EXPERIMENTS[name]))
    assert claims <= those(found, Outcome.REFUTES), found


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_spoiled_measurement_cannot_tell(name, trouble):
    amount, words = TROUBLE[trouble]
    found = VirtualRun(**{trouble: amount}).verdicts(decisive(EXPERIMENTS[name]))
    for verdict in found.values():
        assert verdict.outcome is Outcome.CANNOT_TELL
        assert words in verdict.sentence


@pytest.mark.parametrize("name", SEVERAL_REQUESTS)
def test_a_machine_that_slows_down_half_way_cannot_tell(name):
    for verdict in VirtualRun(slower=5.0).verdicts(EXPERIMENTS[name]).values():
        assert verdict.outcome is Outcome.CANNOT_TELL
        assert verdict.sentence.endswith("the spread crosses a bound.")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_keeps_to_the_labs_default_caps(name):
    for load in EXPERIMENTS[name].loads:
        beside = load.neighbours
        prompts = [load.prompt_tokens, beside.prompt_tokens if beside else 0]
        assert max(prompts) <= 4096
        assert load.output_tokens <= 512
        assert load.users <= 64


@pytest.mark.parametrize("name", sorted(set(EXPERIMENTS) - {"two-loads"}))
def test_an_experiment_takes_three_minutes_at_most_on_the_simulated_spark(name):
    run = VirtualRun()
    run.report(EXPERIMENTS[name])
    assert run.lasted <= 180
