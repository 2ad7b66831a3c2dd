"""A load's form, page and list: what is posted, what is refused, what is shown."""

import pytest
from django.urls import reverse

from interview.lab.models import Kind, Run, Status
from tests.lab.cast import at, later

FORM = {"source": "text", "prompt": "", "freshness": "fresh", "max_tokens": ""}
CUSTOM = FORM | {"load": "custom", "prompt_tokens": "64", "max_tokens": "16"}


@pytest.mark.parametrize(
    ("load", "levels", "repeat", "requests"),
    [
        ("two-loads-full", [1, 4, 16, 64], 3, None),
        ("two-loads-live", [1, 64], 1, [4, 128]),
    ],
)
def test_a_preset_is_queued_whatever_else_was_typed(
    at_alice, load, levels, repeat, requests
):
    form = FORM | {"load": load, "levels": "7", "max_tokens": "no number"}
    answer = at_alice.post(reverse("lab:runs"), form)
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, at("run", run))
    asked = run.asked
    assert (asked.levels, asked.repeat, asked.requests) == (levels, repeat, requests)
    assert (asked.prompt_tokens, asked.max_tokens, asked.source) == (512, 128, "length")
    assert (asked.is_load, run.kind) == (True, Kind.LOAD)


def test_a_load_of_ones_own_is_queued(at_alice):
    form = CUSTOM | {"levels": "1, 2 8", "repeat": "2", "limit_ttft": "0.5 s"}
    assert at_alice.post(reverse("lab:runs"), form).status_code == 303
    asked = Run.objects.get().asked
    assert (asked.levels, asked.repeat, asked.requests) == ([1, 2, 8], 2, None)
    assert (asked.prompt_tokens, asked.max_tokens) == (64, 16)
    assert asked.limits == {"ttft_ms": 500.0}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"levels": ""}, "rising numbers"),
        ({"levels": "1, many"}, "rising numbers"),
        ({"levels": "0"}, "rising numbers"),
        ({"levels": "4, 1"}, "must rise"),
        ({"levels": "4, 4"}, "must rise"),
        ({"levels": "1, 65"}, "allows 64 users at once; you asked for 65"),
        ({"levels": "1 2 3 4 5 6 7 8 9"}, "8 levels at most; you asked for 9"),
        ({"levels": "1", "repeat": "21"}, "20 times at most"),
        ({"levels": "64", "repeat": "20", "max_tokens": "512"}, "allows 30 min for a"),
        (
            {"levels": "64", "prompt_tokens": "4096", "max_tokens": "512"},
            "allows 5 min",
        ),
        ({"levels": "1", "limit_ttft": "fast"}, "is not a duration"),
        ({"load": "another"}, "is none of them"),
    ],
)
def test_a_load_that_cannot_be_comes_back_with_a_sentence(at_alice, changes, sentence):
    answer = at_alice.post(reverse("lab:runs"), CUSTOM | changes)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert sentence in str(form.errors)
    assert not Run.objects.exists()


def test_each_preset_is_offered_with_its_duration(at_alice):
    offers = at_alice.get(reverse("lab:lab")).context["offers"]
    said = {offer.preset.name: offer.expected for offer in offers}
    assert said == {
        "two-loads-live": ("about 2 min, by the roofline of the simulated DGX Spark"),
        "two-loads-full": ("about 11 min, by the roofline of the simulated DGX Spark"),
    }


def test_an_offer_above_a_cap_says_why(at_alice, settings):
    settings.LAB_MAX_USERS = 16
    offers = at_alice.get(reverse("lab:lab")).context["offers"]
    assert {"allows 16 users" in offer.expected for offer in offers} == {True}


def test_the_duration_of_a_typed_load_is_told(at_alice):
    def told(**changes):
        return at_alice.get(reverse("lab:expected"), CUSTOM | changes).content.decode()

    assert told(levels="1", repeat="1").startswith("about 3 s, by the roofline")
    assert "you asked for 99" in told(levels="99")
    assert told(levels="many") == ""


def test_a_queued_load_has_its_page(at_alice, make_run):
    run = make_run(levels=[1, 2], requests=None, prompt_tokens=512, max_tokens=128)
    page = at_alice.get(at("run", run))
    assert "lab/_load_live.html" in [template.name for template in page.templates]
    assert page.context["load"] is None
    assert page.context["points"][0]["users"] == "1"
    assert set(page.context["limits"]) == {"1", "2"}
    assert page.context["expectation"].seconds > 0


def test_the_list_shows_one_kind(at_alice, make_run):
    single = make_run()
    load = make_run(now=later(1), levels=[2], requests=None)

    def listed(kind):
        page = at_alice.get(reverse("lab:runs"), {"kind": kind})
        return list(page.context["runs"])

    assert listed("single") == [single]
    assert listed("load") == [load]
    assert listed("nonsense") == [load, single]


def test_the_experiment_of_two_loads_fills_the_form(at_alice):
    page = at_alice.get(reverse("lab:lab"), {"experiment": "two-loads"})
    initial = page.context["form"].initial
    assert initial["freshness"] == "fresh"


def test_the_list_reads_no_report(at_alice, make_run, worker):
    run = make_run(levels=[1, 4], repeat=3, requests=None)
    claim = run.claim(worker, later(0))
    run.finish(claim, Status.COMPLETED, later(9), report={"levels": []})
    page = at_alice.get(reverse("lab:runs"))
    (listed,) = page.context["runs"]
    assert "report" in listed.get_deferred_fields()
    assert (listed.ttft_ms, listed.tpot_ms) == (None, None)
    assert "1, 4 users, 3 times" in page.content.decode()


def test_the_list_has_the_numbers_of_single_requests(at_alice, finished):
    page = at_alice.get(reverse("lab:runs"))
    (listed,) = page.context["runs"]
    assert (listed.ttft_ms, listed.tpot_ms) == (257.0, None)
    assert "one request" in page.content.decode()
