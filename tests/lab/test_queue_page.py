"""The page of the queue: everybody's time, nobody else's questions."""

import pytest
from django.urls import reverse
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.lab.models import Run, Status, Worker
from tests.lab.cast import NOW, at

QUEUE = "/lab/queue/"


@pytest.fixture
def page(client, bob, worker):
    """The page as bob, or whoever is named, reads it."""
    worker.beat(timezone.now())

    def read(person=bob):
        client.force_login(person)
        return client.get(QUEUE).content.decode()

    return read


def test_another_persons_run_is_a_time_alone(page, make_run, bob):
    theirs = make_run(prompt="a secret question", max_tokens=256)
    mine = make_run(owner=bob, prompt="my own question")
    shown = page()
    assert "another person’s run" in shown
    assert "a secret question" not in shown
    assert theirs.slug not in shown
    assert at("run", mine) in shown
    assert "my own question" in shown
    assert "in about 10 s" in shown


def test_who_may_stop_others_sees_a_button_and_no_question(page, make_run):
    theirs = make_run(prompt="a secret question")
    shown = page(User.objects.create(name="i", role=Role.INTERVIEWER, password="!"))
    assert at("stop", theirs) in shown
    assert at("run", theirs) + '"' not in shown
    assert "a secret question" not in shown


def test_the_running_run_has_what_it_has_left(page, claimed):
    run, claim = claimed
    Worker.objects.get().beat(timezone.now())
    run.renew(claim, timezone.now(), 38.0)
    assert "about 40 s left" in page()


def test_an_empty_queue_says_so(page):
    assert "nobody waits" in page()


def test_without_a_worker_no_time_is_promised(client, make_run, alice):
    make_run(max_tokens=256)
    client.force_login(alice)
    shown = client.get(QUEUE).content.decode()
    assert "The lab worker is not running" in shown
    assert "<td>–</td>" in shown


@pytest.mark.parametrize("role", Role.values)
def test_only_an_owner_reads_the_commands_of_the_host(client, make_run, settings, role):
    settings.PREFILL_MODE = "shared"
    somebody = User.objects.create(name="somebody", role=role, password="!")
    make_run(somebody, max_tokens=256)
    client.force_login(somebody)
    shown = client.get(QUEUE).content.decode()
    assert ("manage.py" in shown) == (role == Role.OWNER)
    assert ("The host of this installation" in shown) == (role != Role.OWNER)


def test_a_budget_is_told(page, settings, make_run, bob):
    settings.LAB_BUDGET_SECONDS = 3600
    assert "Of the 60 min" in page()
    assert "you have used nothing." in page()


def test_a_pause_between_runs_is_told(page, settings):
    settings.LAB_COOLDOWN_SECONDS = 0
    assert "at the earliest" not in page()
    settings.LAB_COOLDOWN_SECONDS = 10
    assert "next run starts 10&nbsp;s after the last one" in page()


@pytest.mark.parametrize("role", [Role.INTERVIEWER, Role.OWNER])
def test_stopping_anothers_run_leads_back_to_the_queue(client, make_run, role):
    run = make_run()
    client.force_login(User.objects.create(name="x", role=role, password="!"))
    answer = client.post(at("stop", run))
    assert (answer.status_code, answer["Location"]) == (303, reverse("lab:queue"))
    run.refresh_from_db()
    assert run.status == Status.CANCELLED


def test_the_lab_page_says_what_a_run_would_wait(page, client, make_run, bob):
    client.force_login(bob)
    assert "a run starts at once" in client.get("/lab/").content.decode()
    make_run(max_tokens=256)
    make_run(max_tokens=256)
    shown = client.get("/lab/").content.decode()
    # The second of the other person comes after bob's first.
    assert "a run of yours would get place 2, about 10 s" in shown


def test_the_page_of_a_waiting_run_says_its_place_and_wait(client, make_run, alice):
    make_run(max_tokens=256)
    second = make_run()
    client.force_login(alice)
    assert "place 2" in client.get(at("run", second)).content.decode()
    Worker(name="w", started_at=NOW, alive_at=timezone.now()).save()
    shown = client.get(at("run", second)).content.decode()
    assert "place 2, about 10 s" in shown
    assert Run.objects.count() == 2
