"""`manage.py bank_retention` deletes what it says, only that, and the log has it."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from interview.bank.models import (
    AuditEntry,
    CandidateLink,
    CandidateSeat,
    Interview,
    Pack,
    Verb,
)
from interview.bank.privacy.retention import Due
from tests.bank import stage

pytestmark = pytest.mark.django_db
DAYS = 30


@pytest.fixture(autouse=True)
def kept_for(settings):
    settings.BANK_KEEP_DAYS = DAYS


@pytest.fixture
def ada():
    return stage.interviewer("Ada I.")


@pytest.fixture
def held(ada):
    """Interviews by how many days ago they were."""
    kit, today = stage.kit(ada), timezone.now().date()
    return {
        ago: stage.interview(
            kit, [ada], candidate="Cleo", held_on=today - timedelta(days=ago)
        )
        for ago in (DAYS + 2, DAYS + 1, DAYS, 0, -5)
    }


def retention(*arguments):
    out = StringIO()
    call_command("bank_retention", *arguments, stdout=out)
    return out.getvalue()


def test_interviews_go_the_day_after_their_last_day(held):
    old = [held.pop(DAYS + 2).pk, held.pop(DAYS + 1).pk]
    said = retention()
    assert set(Interview.objects.all()) == set(held.values())
    assert [line for line in said.splitlines() if line.startswith("interview ")] == [
        f"interview {key}" for key in old
    ]
    assert "2 interviews" in said


def test_it_says_ids_and_no_names(held):
    for arguments in (["--dry-run"], []):
        assert "Cleo" not in retention(*arguments)


def test_the_audit_log_has_each_deletion_by_nobody(held):
    gone = {held[DAYS + 2].pk, held[DAYS + 1].pk}
    retention()
    entries = AuditEntry.objects.filter(verb=Verb.DELETED)
    assert {each.interview_id for each in entries} == gone
    assert {each.actor_id for each in entries} == {None}
    assert AuditEntry.objects.filter(verb=Verb.PLANNED).count() == 5


def test_a_dry_run_says_the_same_and_deletes_nothing(held):
    CandidateLink.objects.update(expires_at=stage.NOW)
    before = list(Interview.objects.values()), list(AuditEntry.objects.values())
    said = retention("--dry-run")
    assert (list(Interview.objects.values()), list(AuditEntry.objects.values())) == (
        before
    )
    assert retention() == said.replace("would be deleted", "deleted")


def test_it_finds_nothing_the_second_time(held):
    retention()
    assert retention().startswith("0 interviews")


def test_expired_links_go_with_their_seats_and_others_stay(held):
    now = timezone.now()
    kept, expired = held[0], held[DAYS]
    for interview in (kept, expired):
        link, _ = CandidateLink.objects.make(interview, now)
        CandidateSeat.objects.take(link, now)
    CandidateLink.objects.filter(interview=expired).update(expires_at=now)
    assert "1 expired link" in retention()
    assert [each.interview for each in CandidateLink.objects.all()] == [kept]
    assert [each.interview for each in CandidateSeat.objects.all()] == [kept]


def test_packs_go_a_day_after_they_came(ada):
    now, bob = timezone.now(), stage.interviewer("Bob I.")
    Pack.objects.keep(bob, {"a.md": "A card"}, {}, now - timedelta(hours=23))
    Pack.objects.create(user=ada, texts={}, errors={}, at=now - timedelta(hours=25))
    assert "1 old pack" in retention()
    assert Pack.objects.get().user == bob


def test_two_at_once_delete_and_note_an_interview_once(held):
    now = timezone.now()
    one, other = Due.of(DAYS, now), Due.of(DAYS, now)
    assert len(one.delete(now)) == 2
    assert other.delete(now) == []
    assert AuditEntry.objects.filter(verb=Verb.DELETED).count() == 2
