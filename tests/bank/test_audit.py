"""The audit log: added to, never changed, and read by whoever manages the interview."""

from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from interview.accounts.models import Role
from interview.bank.errors import Frozen
from interview.bank.models import AuditEntry, CandidateLink, Verb
from interview.bank.privacy.audit_page import ENTRIES_A_PAGE, SAID, AuditPage
from interview.bank.privacy.forgetting import anonymise, erase
from tests.bank import stage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def shared(settings):
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def ada():
    return stage.interviewer("Ada I.")


@pytest.fixture
def held(ada):
    return stage.interview(stage.kit(ada), [ada], candidate="Cleo")


def log(interview):
    return AuditEntry.objects.about(interview.pk)


def lines(interview, number=None):
    page = AuditPage.of(interview, log(interview), number)
    return [(line.who, line.did, line.to) for line in page.lines]


def page_of(person, interview):
    return stage.browser(person).get(f"/bank/interviews/{interview.pk}/audit/")


def test_no_entry_is_changed_or_removed_by_any_way_of_the_models(held):
    entry = log(held).get()
    before = AuditEntry.objects.values().get()
    entry.actor_id = None
    for attempt in (
        entry.save,
        entry.delete,
        lambda: log(held).update(actor_id=None),
        lambda: log(held).delete(),
        lambda: AuditEntry.objects.all().delete(),
        lambda: AuditEntry.objects.bulk_update([entry], ["actor_id"]),
        lambda: AuditEntry.objects.update_or_create(
            pk=entry.pk, defaults={"actor_id": None}
        ),
    ):
        with pytest.raises(Frozen), transaction.atomic():
            attempt()
    assert AuditEntry.objects.values().get() == before


def test_an_entry_has_no_column_for_words():
    """Ids, a verb and a moment: nothing that anonymising would have to empty."""
    fields = AuditEntry._meta.concrete_fields
    assert {field.name: field.get_internal_type() for field in fields} == {
        "id": "UUIDField",
        "at": "DateTimeField",
        "actor_id": "UUIDField",
        "verb": "CharField",
        "interview_id": "UUIDField",
        "object_id": "UUIDField",
    }


def test_every_verb_has_its_words():
    assert set(SAID) == set(Verb)


def test_the_log_says_who_did_what_to_which(held, ada):
    bob = stage.interviewer("Bob I.")
    held.panel.create(user=bob)
    card = stage.submit(held, bob, [2, 3])
    link, _ = CandidateLink.objects.make(held, stage.NOW)
    question = held.version.in_order().last()
    note = AuditEntry.objects.note
    note(ada.pk, Verb.LINKED, held.pk, stage.later(1), link.pk)
    note(None, Verb.JOINED, held.pk, stage.later(2), link.pk)
    note(ada.pk, Verb.SAW_SCORES, held.pk, stage.later(3), card.pk)
    note(ada.pk, Verb.VOIDED, held.pk, stage.later(4), question.pk)
    note(ada.pk, Verb.ATTACHED, held.pk, stage.later(5), uuid4())
    assert lines(held) == [
        ("Ada I.", "planned the interview", ""),
        ("Bob I.", "submitted a scorecard", "of Bob I."),
        ("Ada I.", "made a link for the candidate", ""),
        ("the candidate", "took a seat", ""),
        ("Ada I.", "read others’ scores and notes", "of Bob I."),
        ("Ada I.", "voided a question, or took that back", "question 2"),
        ("Ada I.", "attached a run", "no longer there"),
    ]


def test_whoever_is_not_here_any_more_is_somebody_who_left(held):
    AuditEntry.objects.note(uuid4(), Verb.CHANGED, held.pk, stage.later(1))
    assert lines(held)[-1][0] == "somebody who left"


def test_the_log_is_whole_after_anonymising_and_names_no_candidate(held, ada):
    before = list(log(held).values())
    assert "Cleo" in page_of(ada, held).text
    anonymise(held, ada, stage.later(1))
    html = page_of(ada, held).text
    assert list(log(held).values())[:-1] == before
    assert "anonymised the interview" in html
    assert "Cleo" not in html


def test_an_owner_reads_the_log_of_a_deleted_interview_and_nobody_else(held, ada):
    olga, gone = stage.interviewer("Olga", Role.OWNER), held.pk
    erase(held, ada, stage.later(1))
    held.pk = gone
    html = page_of(olga, held).text
    assert "planned the interview" in html
    assert "deleted the interview" in html
    assert page_of(ada, held).status_code == 404
    held.pk = uuid4()
    assert page_of(olga, held).status_code == 404


def test_a_long_log_comes_page_by_page_with_as_many_queries(held, ada):
    few = queries_of(ada, held)
    for second in range(ENTRIES_A_PAGE):
        AuditEntry.objects.note(ada.pk, Verb.CHANGED, held.pk, stage.later(second))
    assert len(lines(held)) == ENTRIES_A_PAGE
    assert len(lines(held, "2")) == 1
    assert "page 1 of 2" in page_of(ada, held).text
    assert queries_of(ada, held) == few


def queries_of(person, interview):
    with CaptureQueriesContext(connection) as queries:
        page_of(person, interview)
    return len(queries)
