"""What is kept for good: pinned runs, and runs that somebody took away."""

import pytest
from django.urls import reverse

from interview.lab.measuring.worker import tidy
from interview.lab.models import Run
from interview.lab.runs.keeping import keeping
from tests.lab.cast import at, later

DAY = 86_400


def tidied(run, days):
    tidy(later(days * DAY))
    run.refresh_from_db()
    return run.batches.exists()


def test_a_pinned_run_keeps_its_events_until_it_is_let_go(at_alice, finished, settings):
    settings.LAB_KEEP_DAYS = 2
    at_alice.post(at("pin", finished), {"pinned": "1"})
    assert tidied(finished, 3)
    at_alice.post(at("pin", finished), {"pinned": "0"})
    assert not tidied(finished, 3)
    assert finished.report["requests"][0]["ttft_ms"] == 257.0


def test_the_button_toggles(at_alice, finished):
    for pinned in (True, False):
        at_alice.post(at("pin", finished))
        finished.refresh_from_db()
        assert finished.pinned is pinned


@pytest.mark.parametrize("name", ["run_json", "run_csv"])
def test_an_exported_run_keeps_its_events(at_alice, finished, settings, name):
    settings.LAB_KEEP_DAYS = 2
    at_alice.head(at(name, finished))
    finished.refresh_from_db()
    assert finished.exported_at is None
    at_alice.get(at(name, finished))
    finished.refresh_from_db()
    first = finished.exported_at
    at_alice.get(at(name, finished))
    assert tidied(finished, 3)
    assert finished.exported_at == first


def test_a_run_that_is_not_over_is_not_marked_as_exported(at_alice, make_run):
    run = make_run()
    at_alice.get(at("run_json", run))
    run.refresh_from_db()
    assert run.exported_at is None


def test_the_page_says_until_when_events_are_kept(at_alice, finished, settings):
    settings.LAB_KEEP_DAYS = 2
    page = at_alice.get(at("run", finished)).content.decode()
    assert "kept until <time" in page
    assert ">7 Oct 2026</time>" in page
    assert f"http://testserver{at('run', finished)}</a>" in page
    at_alice.post(at("pin", finished))
    assert "kept for good" in at_alice.get(at("run", finished)).content.decode()
    tidy(later(9 * DAY))
    assert keeping(finished).has_events


def test_what_may_go_is_found_without_its_events(finished):
    """A load has thousands of batches: joined, each would bring the report along."""
    found = Run.objects.with_texts_before(later(DAY))
    assert list(found) == [finished]
    assert "JOIN" not in str(found.query)


def test_somebody_elses_run_is_not_pinned(client, bob, finished):
    client.force_login(bob)
    assert client.post(at("pin", finished)).status_code == 404
    finished.refresh_from_db()
    assert not finished.pinned


def test_pinning_is_a_post(at_alice, finished):
    assert at_alice.get(at("pin", finished)).status_code == 405
    assert reverse("lab:pin", args=["x"]).endswith("/pin/")
