"""The list of runs: filters, what each line says, and the list as a file."""

import csv
import io

import pytest
from django.urls import reverse

from interview.lab.models import Kind, Run, Status
from interview.lab.runs.run_row import run_row
from tests.lab.cast import at, later

pytestmark = pytest.mark.django_db

FIGURES = {
    "1": {"values": {"ttft_ms": [257.0, 250.0, 260.0]}, "spoiled": []},
    "64": {
        "values": {
            "ttft_ms": [965.0, 950.0, 990.0],
            "output_tokens_per_s": [239.3, None, None],
        },
        "spoiled": [],
    },
}


@pytest.fixture
def several(make_run):
    """A request, a load of an experiment, and a pinned run of another model."""
    one = make_run(prompt="Why is prefill compute bound?")
    load = make_run(
        prompt_tokens=512,
        prompt="",
        levels=[1, 64],
        requests=None,
        experiment="two-loads",
    )
    Run.objects.filter(pk=load.pk).update(figures=FIGURES, status=Status.COMPLETED)
    other = make_run(now=later(5))
    Run.objects.filter(pk=other.pk).update(model="other-model", pinned=True)
    return {"one": one, "load": load, "other": other}


def listed(client, **query):
    return set(client.get(reverse("lab:runs"), query).context["runs"].object_list)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, {"one", "load", "other"}),
        ({"kind": "load"}, {"load"}),
        ({"status": "completed"}, {"load"}),
        ({"experiment": "two-loads"}, {"load"}),
        ({"model": "other-model"}, {"other"}),
        ({"pinned": "1"}, {"other"}),
        ({"q": "compute BOUND"}, {"one"}),
        ({"q": "two-loads"}, {"load"}),
        ({"q": "nothing like it"}, set()),
        ({"kind": "load", "model": "other-model"}, set()),
        ({"status": "nonsense", "kind": "?", "q": "\0"}, {"one", "load", "other"}),
    ],
)
def test_filters_leave_what_they_name(at_alice, several, query, names):
    assert listed(at_alice, **query) == {several[name] for name in names}


def test_paging_keeps_the_filters(at_alice, make_run, monkeypatch):
    monkeypatch.setattr("interview.lab.views.runs.RUNS_PER_PAGE", 1)
    make_run(levels=[1, 2], requests=None)
    make_run(levels=[1, 4], requests=None)
    shown = at_alice.get(reverse("lab:runs"), {"kind": "load", "page": "1"})
    assert "?kind=load&amp;page=2" in shown.content.decode()


def test_a_line_has_the_figures_of_the_last_load(several):
    row = run_row(Run.objects.get(pk=several["load"].pk))
    assert (row.load, row.of, row.ttft_ms) == ("1, 64 users", "64 users", 965.0)
    assert (row.tpot_ms, row.output_tokens_per_s) == (None, 239.3)


@pytest.mark.parametrize(
    ("last", "of", "ttft_ms"),
    [
        ({"values": {}, "spoiled": ["cut-short"]}, "1 user", 257.0),
        ({"values": {"ttft_ms": [9.0, None, None]}, "spoiled": []}, "64 users", 9.0),
        # Numbers of a level that was cut are shown where there are no others.
        ({"values": {"ttft_ms": [9.0, 1, 9]}, "spoiled": ["cut-short"]}, "1 user", 257),
    ],
)
def test_a_line_is_of_the_largest_level_that_was_measured(several, last, of, ttft_ms):
    load = Run.objects.get(pk=several["load"].pk)
    load.figures = {"1": FIGURES["1"], "64": last}
    row = run_row(load)
    assert (row.of, row.ttft_ms) == (of, ttft_ms)


def test_numbers_of_a_cut_load_are_better_than_none(several):
    load = Run.objects.get(pk=several["load"].pk)
    load.figures = {"1": FIGURES["1"] | {"spoiled": ["cut-short"]}}
    assert run_row(load).of == "1 user"


def test_a_request_that_did_not_complete_is_the_same_everywhere(at_alice, claimed):
    run, claim = claimed
    cut = {"status": "cancelled", "error": "stopped", "tokens": 3, "e2e_ms": 300.0}
    cut |= {
        "ttft_ms": 231.0,
        "tpot_ms": 31.6,
        "itl_ms": [31.0, 32.2],
        "event_tokens": [1] * 3,
    }
    found = {"format": "prefill-measure/1", "requests": [cut], "summary": {}}
    run.finish(claim, Status.CANCELLED, later(3), report=found, error="Stopped.")
    row = run_row(Run.objects.listed().get())
    assert (row.ttft_ms, row.tpot_ms, row.output_tokens_per_s) == (231.0, 31.6, 10.0)
    assert row.of == "of a request that did not complete"
    text = at_alice.get(reverse("lab:runs_csv")).content.decode()
    (line,) = csv.DictReader(io.StringIO(text, newline=""))
    told = line["ttft_ms"], line["tpot_ms"], line["output_tokens_per_s"]
    assert told == ("231.0", "31.6", "10.0")
    assert (line["load"], line["spoiled_by"]) == ("1", "cut-short")
    page = at_alice.get(at("run", run)).content.decode()
    assert "of a request that did not complete" in page
    assert "2 gaps: fewer than 100" in page


def test_a_run_without_figures_has_a_line_without_numbers(several):
    row = run_row(several["one"])
    assert (row.load, row.ttft_ms) == ("one request", None)


def test_the_list_as_a_file_has_a_line_per_load(at_alice, several):
    address = reverse("lab:runs_csv")
    text = at_alice.get(address, {"kind": Kind.LOAD}).content.decode()
    one, many = csv.DictReader(io.StringIO(text, newline=""))
    assert (one["load"], one["ttft_ms"], one["ttft_ms_high"]) == ("1", "257.0", "260.0")
    assert (many["output_tokens_per_s"], many["output_tokens_per_s_low"]) == (
        "239.3",
        "",
    )
    assert many["tpot_ms"] == ""


def test_the_list_as_a_file_is_ones_own(client, bob, several):
    client.force_login(bob)
    text = client.get(reverse("lab:runs_csv")).content.decode()
    assert len(text.splitlines()) == 1
