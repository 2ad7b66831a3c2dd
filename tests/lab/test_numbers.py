"""The help page explains every number; what is measured is read from the product."""

import re
from html import escape

import pytest
from django.urls import reverse

from interview.cards.markdown import cited
from interview.lab.models import Status
from interview.lab.numbers import Number, numbers, numbers_of
from interview.measure.counters import Counters, engine_view
from interview.measure.level import level_summary
from interview.measure.load import Level
from interview.measure.measured import Measured
from interview.measure.notes import NOTES
from interview.measure.pooled import pooled_summary
from interview.measure.report import request
from interview.measure.workload import Limits, Load, Neighbours, Plan
from interview.web.content import library
from tests.lab.cast import NOW, at, later
from tests.lab.loads import level, repetition, report
from tests.lab.loads import request as request_of
from tests.measure.results import beside, done

TEXTS = {"text", "other_texts", "reasoning"}
LOAD = Load(
    requests=2,
    limits=Limits(ttft_ms=500),
    neighbours=Neighbours(1, 256, 1, 2),
)


@pytest.fixture
def page(client, db):
    return client.get(reverse("lab:numbers")).content.decode()


def every_number():
    return [number for group in numbers().groups for number in group.numbers]


def explained():
    return {key for number in every_number() for key in number.keys}


def keys_of(found):
    """The keys of a JSON object and of the objects in it."""
    for key, value in found.items():
        yield key
        if isinstance(value, dict):
            yield from keys_of(value)


@pytest.fixture
def measured():
    """A level whose events hold two tokens, so that no summary is left out."""
    results = (done(0, 100, 120, n=2), done(0, 90, 130, n=2))
    near = beside(0, done(50, 80))
    level = Level(results, stopped=False, timed_out=False, neighbours=near)
    (repetition,) = Plan((LOAD,), repeat=1).repetitions()
    return Measured(repetition, level, level_summary(LOAD, level, [1000]))


def test_every_key_of_a_summary_is_explained(measured):
    assert set(keys_of(measured.summary)) <= explained()
    assert measured.summary["itl_per_token_ms"]
    assert set(keys_of(pooled_summary([measured]))) <= explained()


def test_every_key_of_a_request_is_explained(measured):
    found = request(measured.level.results[0], 0)
    assert found.keys() - TEXTS <= explained()


def test_every_key_of_the_engines_account_is_explained():
    reading = Counters({"vllm:num_requests_running": 0.0})
    found = engine_view(reading, reading, [])
    assert set(keys_of(found)) <= explained()
    assert reading.gauges_beside(0).keys() <= explained()


def test_every_note_is_explained_with_its_own_sentence(page):
    assert [note.code for note in numbers().notes] == list(NOTES)
    for code, sentence in NOTES.items():
        block = re.search(rf'<div id="note-{code}">(.*?)</div>', page, re.DOTALL)[1]
        assert escape(sentence) in block


def test_no_note_is_explained_that_is_none():
    document = {"group": [], "tool": [], "notes": dict.fromkeys(NOTES, "x")}
    with pytest.raises(KeyError):
        numbers_of(document | {"notes": {}})
    with pytest.raises(ValueError, match="none-such"):
        numbers_of(document | {"notes": document["notes"] | {"none-such": "x"}})


def test_a_key_that_no_number_has_is_a_mistake():
    entry = {"id": "a", "name": "A", "formula": "b", "origin": "c", "spoils": "d"}
    assert Number.of(entry).keys == ()
    with pytest.raises(TypeError):
        Number.of(entry | {"source": "e"})


def test_every_number_says_formula_origin_and_what_spoils_it():
    for number in every_number():
        assert all((number.formula, number.origin, number.spoils)), number.id


def test_every_anchor_is_there_once_and_every_link_has_one(page):
    anchors = re.findall(r'\bid="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert {"ttft", "itl", "roofline", "note-loop-lag"} <= set(anchors)
    assert links <= set(anchors)


def test_every_fact_is_known_and_listed(page):
    facts = cited("\n".join(numbers().texts()))
    assert facts
    assert set(facts) <= library().facts.keys()
    listed = re.findall(r'notes__id">\[(.+?)\]', page)
    assert listed == list(facts)


def test_the_figure_stands_before_the_numbers(page):
    assert page.index("moments__ttft") < page.index('id="ttft"')


def leads_here(answer):
    return f'href="{reverse("lab:numbers")}"' in answer.text


def test_the_lab_and_its_results_lead_here(at_alice, finished):
    assert leads_here(at_alice.get(reverse("lab:lab")))
    assert leads_here(at_alice.get(at("run", finished)))


def test_a_load_leads_here(at_alice, make_run, worker):
    run = make_run(prompt="", prompt_tokens=64, levels=[1, 2], requests=None)
    claim = run.claim(worker, NOW)
    levels = [level(users, repetition(users, [request_of()])) for users in (1, 2)]
    run.finish(claim, Status.COMPLETED, later(3), report=report(*levels))
    assert leads_here(at_alice.get(at("run", run)))
