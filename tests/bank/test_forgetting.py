"""Anonymising and deleting: what goes, what stays, and that nothing comes back."""

import pytest
from django.db.models import ProtectedError
from django.test import Client
from django.utils import timezone

from interview.accounts.models import Role
from interview.bank.errors import Frozen
from interview.bank.models import (
    AuditEntry,
    CandidateLink,
    CandidateSeat,
    Evidence,
    Interview,
    Note,
    Revision,
    Score,
    Scorecard,
    Verb,
)
from interview.bank.privacy.forgetting import anonymise, erase
from interview.lab.models import Run
from tests.bank import stage
from tests.bank.full_interview import SAID, begin, fill, revise, write_note

pytestmark = pytest.mark.django_db
WRITTEN = {SAID[each] for each in ("claim", "note", "summary", "reason")} | {"Cleo"}


@pytest.fixture(autouse=True)
def shared(settings):
    settings.PREFILL_MODE = "shared"
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:1", "m"


@pytest.fixture
def ada():
    return stage.interviewer("Ada I.")


@pytest.fixture
def bob():
    return stage.interviewer("Bob I.")


@pytest.fixture
def held(ada, bob):
    made = stage.interview(stage.kit(ada), [ada, bob], candidate="Cleo")
    fill(made, ada, bob)
    begin(made)
    return made


def texts(interview):
    """Everything that somebody wrote about the candidate, whatever table has it."""
    of_it = {"score__scorecard__interview": interview}
    return {
        *Note.objects.filter(**of_it).values_list("text", flat=True),
        *Revision.objects.filter(**of_it).values_list("reason", flat=True),
        *interview.scorecards.values_list("summary", flat=True),
        *interview.evidence.values_list("claim", flat=True),
        Interview.objects.get(pk=interview.pk).candidate,
    }


def test_what_is_about_the_candidate_is_written_in_known_fields_alone():
    """A new text field decides whether anonymising empties it."""
    kinds = ("CharField", "TextField", "JSONField")
    models = (Interview, Scorecard, Score, Note, Revision, Evidence, CandidateSeat)
    found = {
        f"{model.__name__}.{field.name}"
        for model in models
        for field in model._meta.concrete_fields
        if field.get_internal_type() in kinds
    }
    emptied = {
        "Interview.candidate",
        "Scorecard.summary",
        "Note.text",
        "Revision.reason",
        "Evidence.claim",
    }
    ids_and_marks = {
        "Interview.rung_now",
        "Scorecard.state",
        "Score.card_id",
        "Score.marks",
        "Score.hinted",
        "Score.said",
        "Note.rung_id",
        "Revision.before",
        "Revision.after",
        "CandidateSeat.name",
        "CandidateSeat.token_hash",
    }
    assert found == emptied | ids_and_marks


def test_anonymising_empties_each_text_and_keeps_each_mark(held, ada):
    marks = list(Score.objects.order_by("pk").values_list("marks", "rating"))
    assert texts(held) == WRITTEN
    anonymise(held, ada, stage.later(60))
    assert texts(held) == {""}
    assert held.anonymised_at == stage.later(60)
    assert held.name == f"Candidate {held.pk.hex[-4:]}"
    assert list(Score.objects.order_by("pk").values_list("marks", "rating")) == marks
    assert not held.evidence.exists()
    assert Run.objects.exists()


def test_anonymising_ends_links_seats_and_what_is_before_the_candidate(held, ada):
    anonymise(held, ada, stage.NOW)
    assert (held.asked_now, held.rung_now, held.evidence_now) == (None, "", None)
    assert held.is_over
    assert not held.links.filter(revoked_at=None).exists()
    assert not held.seats.filter(removed_at=None).exists()


def test_anonymising_twice_is_noted_once(held, ada):
    anonymise(held, ada, stage.NOW)
    anonymise(held, ada, stage.later(60))
    assert held.anonymised_at == stage.NOW
    noted = AuditEntry.objects.about(held.pk).filter(verb=Verb.ANONYMISED)
    assert noted.get().actor_id == ada.pk


def test_no_text_comes_into_an_anonymised_interview(held, ada, bob):
    draft = Scorecard.objects.get(interview=held, interviewer=bob)
    score = draft.in_order().first()
    key = score.notes.get().pk
    revised = Scorecard.objects.get(interview=held, interviewer=ada).in_order().first()
    asked, run = held.in_order().last(), held.evidence.get().run
    anonymise(held, ada, stage.NOW)
    for attempt in (
        lambda: write_note(score, "More."),
        lambda: write_note(score, "More.", key, revision=1),
        lambda: draft.write_summary("More.", 1),
        lambda: revise(revised, "More.", rating=4),
        lambda: CandidateLink.objects.make(held, stage.NOW),
        lambda: Evidence.objects.attach(asked, run, "More.", ada, stage.NOW),
    ):
        with pytest.raises(Frozen, match="anonymised"):
            attempt()
    assert texts(held) == {""}


def test_a_draft_of_an_anonymised_interview_can_still_be_marked(held, ada, bob):
    anonymise(held, ada, stage.NOW)
    card = stage.score(held, bob, [1, 4])
    card.submit(stage.rungs_of(held), stage.NOW, summary=("", 1))
    assert held.scorecards.in_().count() == 2


def test_deleting_leaves_the_audit_log_and_nothing_else(held, ada, bob):
    kit = held.version.kit
    other = stage.interview(kit, [ada, bob], candidate="Dora")
    fill(other, ada, bob)
    begin(other)
    kept = everything_of(other)
    # After what the candidate did, which is by the real clock.
    assert erase(held, ada, timezone.now())
    assert not everything_of(held)
    assert everything_of(other) == kept
    assert Run.objects.count() == 2
    last = AuditEntry.objects.about(held.pk).last()
    assert (last.verb, last.actor_id, last.object_id) == (Verb.DELETED, ada.pk, None)
    assert not erase(held, ada, stage.NOW)


def everything_of(interview):
    """Rows of all tables that lead to it."""
    paths = {
        Interview: "pk",
        Scorecard: "interview",
        Score: "scorecard__interview",
        Note: "score__scorecard__interview",
        Revision: "score__scorecard__interview",
        Evidence: "interview",
        CandidateLink: "interview",
        CandidateSeat: "interview",
    }
    return [
        row
        for model, path in paths.items()
        for row in model.objects.filter(**{path: interview.pk}).values().order_by("pk")
    ]


def test_the_pages_ask_for_a_word_and_change_nothing_without_it(held, ada):
    client = stage.browser(ada)
    for page in ("anonymise", "delete"):
        address = f"/bank/interviews/{held.pk}/{page}/"
        assert f"Type the word {page}" in client.get(address).text
        answer = client.post(address, {"word": "yes"})
        assert answer.status_code == 422
        assert "Nothing was changed" in answer.text
    assert texts(held) == WRITTEN


def test_a_form_that_comes_twice_finds_it_done(held, ada):
    client = stage.browser(ada)
    for page in ("anonymise", "anonymise", "delete", "delete"):
        address = f"/bank/interviews/{held.pk}/{page}/"
        assert client.post(address, {"word": page}).status_code == 303
    assert not Interview.objects.exists()
    noted = AuditEntry.objects.about(held.pk)
    assert noted.filter(verb=Verb.ANONYMISED).count() == 1
    assert noted.filter(verb=Verb.DELETED).count() == 1


def test_the_page_of_an_anonymised_interview_offers_no_second_time(held, ada):
    anonymise(held, ada, stage.NOW)
    html = stage.browser(ada).get(f"/bank/interviews/{held.pk}/anonymise/").text
    assert "was anonymised on" in html
    assert 'name="word"' not in html


def test_the_panel_alone_may_not_end_what_another_set_up(held, bob):
    for page in ("anonymise", "delete", "audit"):
        assert (
            stage.browser(bob).get(f"/bank/interviews/{held.pk}/{page}/").status_code
            == 404
        )


def test_somebody_who_may_not_sign_in_any_more_leaves_the_interview_whole(held, bob):
    owner = stage.interviewer("Olga", Role.OWNER)
    bob.deactivate()
    html = stage.browser(owner).get(f"/bank/interviews/{held.pk}/audit/").text
    assert "submitted a scorecard" in html
    assert held.panel.count() == 2


def test_a_person_whose_scorecard_is_here_is_not_deleted(held, bob):
    with pytest.raises(ProtectedError):
        bob.delete()


def test_a_signed_out_browser_is_sent_to_the_door(held):
    for page in ("anonymise", "delete", "audit"):
        assert Client().get(f"/bank/interviews/{held.pk}/{page}/").status_code in (
            302,
            403,
        )
