"""A small fixed cast: alice owns runs, bob must not see them."""

import pytest
from django.utils import timezone

from interview.accounts.models import User
from interview.lab.form.guess import Guess
from interview.lab.models import Run, Status, Worker
from interview.lab.runs.spec import Spec
from tests.lab.cast import NOW, REPORT, batch, later, phase, token


@pytest.fixture
def shared(settings):
    settings.PREFILL_MODE = "shared"
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:9", "a-model"
    return settings


@pytest.fixture
def alice(db, shared):
    return User.objects.create(name="alice", password="!")


@pytest.fixture
def bob(db, shared):
    return User.objects.create(name="bob", password="!")


@pytest.fixture
def make_run(alice):
    def make(owner=alice, now=NOW, predictions=None, **spec):
        spec = Spec(**{"prompt": "Why?", "max_tokens": 8} | spec)
        guesses = [Guess(*named) for named in (predictions or {}).items()]
        return Run.objects.queue(owner, spec, now, guesses)

    return make


@pytest.fixture
def worker(db):
    row = Worker(name="w", started_at=NOW, alive_at=NOW)
    row.save()
    return row


@pytest.fixture
def claimed(make_run, worker):
    """A running run and its claim."""
    run = make_run()
    claim = run.claim(worker, NOW)
    run.refresh_from_db()
    return run, claim


@pytest.fixture
def alive(claimed):
    """A claimed run whose worker lives by the real clock."""
    run, claim = claimed
    run.renew(claim, timezone.now(), 5)
    Worker.objects.get().beat(timezone.now())
    run.refresh_from_db()
    return run, claim


@pytest.fixture
def at_alice(client, alice):
    client.force_login(alice)
    return client


@pytest.fixture
def finished(claimed):
    run, claim = claimed
    run.append(claim, batch(phase("sent", 0), token('=cmd|" /C calc"!A0', 257_000)))
    run.append(claim, batch(token("-1\n", 287_500, n=2, channel="reasoning")))
    run.finish(claim, Status.COMPLETED, later(3), report=REPORT)
    return run
