"""The experiments of the product's own content, and smaller forms of them."""

from dataclasses import replace
from pathlib import Path

from interview.cards.library import Library

CONTENT = Path(__file__).resolve().parents[2] / "content"
EXPERIMENTS = Library.load([CONTENT]).experiments


def decisive(experiment):
    """With the loads that its claims are about, once each and in few requests.

    Those of a gathering are its people's.
    """
    if experiment.gathers:
        return experiment
    named = {q.load for claim in experiment.claims for q in (claim.of, claim.to)}
    loads = tuple(
        replace(load, requests=load.requests or max(4, load.users))
        for load in experiment.loads
        if load.name in named
    )
    return replace(experiment, loads=loads, repetitions=1)


def without_neighbours(experiment):
    loads = tuple(replace(load, neighbours=None) for load in experiment.loads)
    return replace(experiment, loads=loads)
