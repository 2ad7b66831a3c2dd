"""A run stands beside the manual's numbers only where it measured the same."""

import pytest

from interview.lab import content
from interview.lab.experiments.measured_before import (
    OTHER_LENGTHS,
    doubts,
    rows_beside,
)
from interview.lab.models import Status
from interview.lab.runs.presets import PRESETS
from interview.lab.runs.spec import Spec
from tests.lab.cast import at, later
from tests.lab.loads import level, repetition, report, request

ALIKE = {"prompt_tokens": 512, "max_tokens": 128, "requests": None}


@pytest.mark.parametrize(
    "changes", [{"prompt_tokens": 64}, {"max_tokens": 8}, {"prompt_tokens": None}]
)
@pytest.mark.parametrize("name", ["two-loads", None])
def test_a_run_of_other_lengths_is_not_beside_the_manual(name, changes):
    shown = content.experiment(name) if name else None
    alike = Spec("", levels=[1, 64], **ALIKE)
    assert len(rows_beside(alike, shown)) == 2
    assert doubts(alike, shown) == []
    other = Spec("", levels=[1, 64], **ALIKE | changes)
    assert rows_beside(other, shown) == []
    assert doubts(other, shown) == [OTHER_LENGTHS]


def test_what_the_manual_has_not_measured_has_no_reason():
    experiment = content.experiment("neighbour-prefill")
    assert doubts(Spec.of_loads(content.loads_of(experiment)), experiment) == []


@pytest.mark.parametrize(
    ("requests", "part"),
    [
        (64, "all requests"),
        (100, "more than half of the requests"),
        (128, "half of the requests"),
        (192, ""),
    ],
)
def test_a_load_of_few_rounds_says_what_its_first_wave_does(requests, part):
    asked = Spec("", levels=[1, 64], **ALIKE | {"requests": [1, requests]})
    found = doubts(asked, None)
    assert len(found) == bool(part)
    assert all(one.startswith(f"With 64 users {part} belong to") for one in found)


def test_the_short_form_of_two_loads_says_it_beside_the_manual(
    at_alice, make_run, worker
):
    live = PRESETS["two-loads-live"]
    spec = {"levels": list(live.levels), "requests": list(live.requests)}
    run = make_run(experiment="two-loads", **ALIKE | spec)
    stored = report(*(level(n, repetition(n, [request()])) for n in live.levels))
    done = run.claim(worker, later(0))
    run.finish(done, Status.COMPLETED, later(3), report=stored)
    page = at_alice.get(at("run", run)).content.decode()
    _, beside = page.split('id="manual-title"')
    assert "half of the requests belong to the first wave" in beside
