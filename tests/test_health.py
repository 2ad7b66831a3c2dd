"""`/healthz` and `/metrics`: what is told to whoever watches, and who may ask."""

import os
import re
import subprocess
import sys
from datetime import timedelta

import httpx
import pytest
from django.db import DatabaseError
from django.utils import timezone

from interview.accounts.models import User
from interview.lab.models import Run, Worker
from interview.lab.runs.spec import Spec
from interview.tally import CLASSES, STREAMS, Tally, forget, total
from tests.live_site import ROOT, eventually, running_site

SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="[a-z0-9]+"\})? (\S+)')


@pytest.fixture
def alone(settings, tmp_path):
    """No web process of this machine has counted anything."""
    settings.DATA_DIR = tmp_path
    settings.PREFILL_METRICS_TOKEN = ""
    return tmp_path


def worker(age_s):
    moment = timezone.now() - timedelta(seconds=age_s)
    Worker(name="w", started_at=moment, alive_at=moment).save()


@pytest.mark.django_db
def test_health_is_told_to_anybody_and_nothing_else(client, settings):
    settings.PREFILL_MODE = "shared"
    worker(3)
    answer = client.get("/healthz")
    said = answer.json()
    assert answer.status_code == 200
    assert 3 <= said.pop("worker_age_s") < 10
    assert said.pop("cards") > 40
    assert said == {"status": "ok", "database": "ok", "content": "ok"}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_pages_are_served_without_a_lab_worker(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["worker_age_s"]) == (200, None)


@pytest.mark.django_db
def test_a_database_that_is_away_is_unhealthy(client, monkeypatch):
    def away(now):
        raise DatabaseError("password of prefill at 10.0.0.7 is wrong")

    monkeypatch.setattr("interview.health.worker_age_s", away)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["database"].startswith("no answer after")
    assert "10.0.0.7" not in answer.content.decode()


@pytest.mark.django_db
def test_no_card_at_all_is_unhealthy(client, settings, tmp_path):
    settings.CONTENT_ROOT = tmp_path
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["content"] != "ok"


@pytest.mark.django_db
def test_health_and_metrics_are_asked_without_tls(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/lab/").status_code == 301
    assert client.get("/healthz").status_code == 200
    assert client.get("/metrics").status_code == 200


def samples(answer):
    """Value by name with labels; checks that each line is as Prometheus reads it."""
    found = {}
    for line in answer.content.decode().splitlines():
        if not line.startswith("#"):
            name, labels, value = SAMPLE.fullmatch(line).groups()
            found[name + (labels or "")] = float(value)
    return found


@pytest.mark.django_db
def test_the_metrics_count_runs_queue_workers_and_answers(client, settings, alone):
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:9", "m"
    person = User.objects.create(name="alice", password="!")
    moment = timezone.now() - timedelta(seconds=60)
    for _ in range(2):
        Run.objects.queue(person, Spec(prompt="Why?"), moment)
    worker(2)
    tally = Tally(alone / "web")
    tally.add(CLASSES.index("5xx"), 3)
    tally.add(STREAMS, 7)
    answer = client.get("/metrics")
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    said = samples(answer)
    assert said['prefill_runs{status="queued"}'] == 2
    assert said['prefill_runs{status="failed"}'] == 0
    assert said["prefill_queue_length"] == 2
    assert 60 <= said["prefill_queue_oldest_seconds"] < 90
    assert said["prefill_workers"] == 1
    assert 2 <= said["prefill_worker_age_seconds"] < 9
    assert said["prefill_rooms_open"] == 0
    assert said['prefill_http_responses_total{class="5xx"}'] == 3
    assert said["prefill_watchers"] == 7
    assert said["prefill_web_processes"] == 1
    assert said["prefill_database_up"] == 1


@pytest.mark.django_db
def test_without_a_worker_its_age_is_missing_and_not_zero(client, alone):
    said = samples(client.get("/metrics"))
    assert said["prefill_workers"] == 0
    assert "prefill_worker_age_seconds" not in said


@pytest.mark.django_db
def test_without_the_database_the_machine_is_told_all_the_same(
    client, alone, monkeypatch
):
    def away(now):
        raise DatabaseError("gone")

    monkeypatch.setattr("interview.prometheus.of_database", away)
    said = samples(client.get("/metrics"))
    assert said["prefill_database_up"] == 0
    assert "prefill_web_processes" in said


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asker", "status"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "10.0.0.7"}, 403),
        # Through a proxy that is not configured everybody comes from this machine.
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "1.2.3.4"}, 403),
        ({"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer sesame"}, 200),
        ({"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer open"}, 403),
        ({"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer "}, 403),
    ],
)
def test_metrics_are_for_this_machine_or_by_the_token(
    client, settings, alone, asker, status
):
    settings.PREFILL_METRICS_TOKEN = "sesame"
    assert client.get("/metrics", **asker).status_code == status


@pytest.mark.django_db
def test_without_a_token_set_none_is_right(client, alone):
    asker = {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer "}
    assert client.get("/metrics", **asker).status_code == 403


COUNTING = """
import sys, time
from pathlib import Path
from interview.tally import STREAMS, Tally
tally = Tally(Path(sys.argv[1]))
tally.add(1, 5)
tally.add(STREAMS, 2)
print("counted", flush=True)
time.sleep(60)
"""


def test_a_dead_process_keeps_its_answers_and_loses_its_streams(tmp_path):
    command = [sys.executable, "-c", COUNTING, tmp_path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        ours = Tally(tmp_path)
        ours.add(1, 1)
        both = total(tmp_path)
        assert (both.answers["2xx"], both.streams, both.processes) == (6, 2, 2)
        other.kill()
        other.wait()
    after = total(tmp_path)
    assert (after.answers["2xx"], after.streams, after.processes) == (6, 0, 1)
    forget(tmp_path)
    assert total(tmp_path).processes == 0


def test_a_running_site_counts_what_it_answers_and_who_watches():
    with running_site(os.environ.get("DATABASE_URL", "")) as site:

        def metric(name):
            text = httpx.get(f"{site.url}/metrics").text
            return float(re.search(rf"^{re.escape(name)} (.+)$", text, re.M)[1])

        missing = 'prefill_http_responses_total{class="4xx"}'
        before = metric(missing)
        assert site.client.get("/nowhere/").status_code == 404
        assert metric(missing) == before + 1
        slug = site.run(max_tokens="512")
        with site.client.stream("GET", f"/lab/runs/{slug}/events") as stream:
            # A generator that nobody holds closes the stream.
            parts = stream.iter_raw()
            next(parts)
            eventually(lambda: metric("prefill_watchers") == 1, 5, site.said)
        eventually(lambda: metric("prefill_watchers") == 0, 5, site.said)
