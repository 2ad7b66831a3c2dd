"""Every cap of the settings holds at every way in: form, JSON, experiment and again."""

import json
import re
from html import unescape

import pytest
from django.utils import timezone

from interview import settings as every_setting
from interview.lab.errors import OverCap
from interview.lab.models import Run, Status, Worker
from interview.lab.runs.spec import Spec

LOAD = {
    "source": "text",
    "prompt_tokens": "600",
    "max_tokens": "100",
    "freshness": "fresh",
    "load": "custom",
    "levels": "1, 8",
    "repeat": "2",
}
# cap -> (its value that each of the loads below exceeds, words of the refusal)
CAPS = {
    "LAB_MAX_PROMPT_TOKENS": (99, "99"),
    "LAB_MAX_TOKENS": (9, "9 tokens at most"),
    "LAB_MAX_USERS": (4, "This lab allows 4 users at once"),
    "LAB_MAX_SECONDS": (1, "this lab allows 1 s"),
    "LAB_MAX_RUN_SECONDS": (2, "this lab allows 2 s for a whole run"),
    "LAB_MAX_QUEUED_PER_PERSON": (1, "You have 1 run waiting"),
    "LAB_BUDGET_SECONDS": (3, "may measure 3 s in any 24 hours"),
}
EXPERIMENT = "two-loads"


@pytest.fixture
def before(alice, shared):
    """What was asked before the caps: a waiting run, and one to ask again."""
    shared.LAB_BUDGET_SECONDS = 0
    now = timezone.now()
    Run.objects.queue(alice, Spec("Why?", max_tokens=8), now)
    spec = Spec("", prompt_tokens=600, max_tokens=100, levels=[1, 8], requests=None)
    again = Run.objects.queue(alice, spec, now)
    Run.objects.filter(pk=again.pk).update(status=Status.COMPLETED)
    Worker(name="w", started_at=now, alive_at=now).save()
    return again


def form(client, before):
    return client.post("/lab/runs/", LOAD)


def as_json(client, before, **fields):
    body = json.dumps(fields or LOAD)
    return client.post("/lab/runs/", body, content_type="application/json")


def experiment(client, before):
    return as_json(client, before, experiment=EXPERIMENT)


def experiment_form(client, before):
    page = client.get("/lab/", {"experiment": EXPERIMENT})
    initial = page.context["form"].initial
    filled = {name: value for name, value in initial.items() if value is not None}
    return client.post("/lab/runs/", filled)


def again(client, before):
    return client.post(f"/lab/runs/{before.slug}/again/", follow=True)


WAYS_IN = (form, as_json, experiment, experiment_form, again)


def said(response):
    return unescape(re.sub(r"\s+", " ", response.content.decode()))


@pytest.mark.parametrize("way_in", WAYS_IN, ids=lambda way: way.__name__)
@pytest.mark.parametrize("cap", CAPS)
def test_a_cap_holds_and_is_named(at_alice, before, settings, cap, way_in):
    value, words = CAPS[cap]
    setattr(settings, cap, value)
    response = way_in(at_alice, before)
    assert Run.objects.count() == 2
    assert words in said(response)
    if way_in is not again:
        assert response.status_code == 422
    if response["Content-Type"] == "application/json":
        assert response.json()["cap"] == cap


@pytest.mark.parametrize("way_in", WAYS_IN, ids=lambda way: way.__name__)
def test_within_the_caps_every_way_leads_in(at_alice, before, settings, way_in):
    response = way_in(at_alice, before)
    assert response.status_code in {200, 201, 303}, said(response)
    assert Run.objects.count() == 3


def test_the_table_has_every_cap_of_the_settings():
    caps = {name for name in vars(every_setting) if re.match("LAB_(MAX|BUDGET)", name)}
    # These are of watching, of sitting in rooms and of importing, not of runs.
    others = {"LAB_MAX_WATCHERS", "LAB_MAX_SEATS", "LAB_MAX_IMPORT_MB"}
    assert caps - others == set(CAPS)


@pytest.mark.parametrize(
    ("cap", "spec", "words"),
    [
        ("LAB_MAX_PROMPT_TOKENS", {"prompt_tokens": 2}, "about 2 tokens; this"),
        ("LAB_MAX_TOKENS", {"max_tokens": 2}, "may have 1 token at most; you"),
        ("LAB_MAX_USERS", {"levels": [2]}, "allows 1 user at once; you"),
    ],
)
def test_one_is_no_plural(settings, cap, spec, words):
    setattr(settings, cap, 1)
    asked = Spec("", **{"prompt_tokens": 1, "max_tokens": 1} | spec)
    with pytest.raises(OverCap, match=words):
        asked.check()
