"""The front page: what is there, and nothing that is not."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import User
from interview.cards.card import Audience
from interview.home import card_of
from interview.lab.models import Run
from interview.lab.runs.spec import Spec
from interview.web.content import library
from tests.bank import stage

pytestmark = pytest.mark.django_db


def test_three_doors_and_a_first_path_of_three_links(client):
    html = client.get("/").text
    for path in ("/cards/", "/lab/", "/manual/"):
        assert f'<h2 id="door-{path.strip("/")}"><a href="{path}">' in html
    steps = html[html.index('class="path"') :]
    for link in (
        "/cards/two-phases-of-a-request/",
        "/lab/?card=two-phases-of-a-request",
        "/manual/1.3/",
    ):
        assert f'href="{link}"' in steps
    assert "No run yet" in html


def test_the_last_run_stands_on_the_door_of_the_lab(client, settings):
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:9", "a-model-simulated"
    owner = User.objects.local_owner()
    run = Run.objects.queue(owner, Spec(prompt="Hello"), timezone.now())
    request = {"status": "completed", "ttft_ms": 261.4, "tpot_ms": 31.84}
    request |= {"e2e_ms": 4000.0, "tokens": 100}
    Run.objects.filter(pk=run.pk).update(report={"requests": [request]})
    html = client.get("/").text
    assert "TTFT 261\u00a0ms · TPOT 31.8\u00a0ms · 25.0\u00a0tok/s" in html
    assert f'href="/lab/runs/{run.slug}/"' in html
    door = html[html.index('id="door-lab"') : html.index('id="door-manual"')]
    assert '<span class="badge">simulated</span>' in door


def test_every_card_is_once_the_question_of_the_day():
    cards = library().listed(Audience.CANDIDATE)
    days = [date(2026, 11, 29) + timedelta(days=n) for n in range(len(cards))]
    assert {card_of(cards, day).id for day in days} == {card.id for card in cards}


def test_without_cards_there_is_no_question_and_no_error(client, settings, tmp_path):
    settings.CONTENT_ROOT, settings.CONTENT_PATHS = tmp_path, []
    html = client.get("/").text
    assert "0 questions" in html
    assert "Today’s question" not in html
    assert card_of([], date(2026, 11, 29)) is None


def test_who_interviews_finds_what_waits_for_them(client):
    owner = User.objects.local_owner()
    assert "Your interviews" not in client.get("/").text
    kit = stage.kit(owner)
    assert "None is planned." in client.get("/").text
    today = timezone.localdate()
    coming = stage.interview(kit, [owner], candidate="Ada L.", held_on=today)
    over = stage.interview(kit, [owner], candidate="Grace H.")
    over.end(owner, timezone.now())
    html = client.get("/").text
    assert f'href="/bank/interviews/{coming.pk}/"' in html
    assert f'href="/bank/interviews/{over.pk}/review/"' in html
    stage.submit(over, owner, [None] * over.asked.count())
    assert "is not submitted" not in client.get("/").text


def test_who_is_on_no_panel_reads_nothing_of_interviews(client, settings):
    settings.PREFILL_MODE = "shared"
    interviewer = stage.interviewer("Ada")
    kit = stage.kit(interviewer)
    stage.interview(kit, [interviewer], held_on=timezone.localdate())
    for role in ("candidate", "interviewer"):
        other = stage.interviewer(f"another {role}", role)
        assert "Your interviews" not in stage.browser(other).get("/").text
