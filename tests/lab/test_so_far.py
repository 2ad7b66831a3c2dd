"""A load that still runs shows the repetitions that have ended, and no other."""

import pytest
from django.urls import reverse
from django.utils import timezone

from interview.lab.results.so_far import load_so_far
from tests.lab.cast import at, batch
from tests.lab.loads import level_event, repetition_events, request

TICKS = {"k": "ticks", "t_us": 1, "ticks": [[0, 1, 0]], "starts": [], "ends": []}


@pytest.fixture
def running(make_run, worker):
    """A load of 1 and 4 users, twice each, and what writes to it."""
    run = make_run(prompt_tokens=32, levels=[1, 4], repeat=2, requests=None)
    claim = run.claim(worker, timezone.now())
    return run, lambda *events: run.append(claim, batch(*events))


def test_nothing_is_shown_before_a_repetition_has_ended(running):
    run, tell = running
    tell(level_event("started", 1), TICKS)
    so_far = load_so_far(run)
    assert (so_far.load, so_far.figures) == (None, {})


def test_a_repetition_is_shown_when_it_has_ended(running):
    run, tell = running
    tell(*repetition_events(1, [request(n) for n in range(4)], rate=29.0))
    tell(TICKS)
    tell(*repetition_events(1, [request(n) for n in range(4)], 1, rate=31.0))
    tell(level_event("started", 4, requests=12), TICKS)
    so_far = load_so_far(run)
    (level,) = so_far.load.levels
    assert so_far.figures["1"]["values"]["output_tokens_per_s"] == [30.0, 29.0, 31.0]
    assert (level.users, level.repetitions, level.completed) == (1, 2, 8)
    assert level.output_tokens_per_s == 30.0
    assert level.bands["output_tokens_per_s"].high == 31.0


def test_batches_of_ticks_alone_are_never_read(running):
    run, tell = running
    run.batches.create(seq=99, payload='[{"k": "ticks", not even JSON')
    tell(*repetition_events(1, [request()]))
    assert len(load_so_far(run).load.levels) == 1


def test_the_page_without_javascript_has_the_levels_so_far(running, at_alice):
    run, tell = running
    tell(*repetition_events(1, [request()], rate=29.5))
    html = at_alice.get(at("run", run)).content.decode()
    assert "Levels so far" in html
    assert "1 user: 29.5\u00a0tok/s together" in html
    assert '<noscript><meta http-equiv="refresh" content="4"></noscript>' in html


def test_the_form_offers_the_loads_and_the_experiments_own(at_alice):
    html = at_alice.get(f"{reverse('lab:lab')}?experiment=two-loads").content.decode()
    assert 'name="load" value="two-loads-live" checked' in html
    assert 'name="load" value="two-loads-full"' in html
    plain = at_alice.get(reverse("lab:lab")).content.decode()
    assert 'name="load" value="" checked' in plain
