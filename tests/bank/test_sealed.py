"""What others marked stays closed until one's own is in: in every page and file."""

from uuid import uuid4

import pytest
from django.urls import reverse

from interview.accounts.models import Role
from interview.bank.models import AuditEntry, Note, Scorecard, Verb
from tests.bank import stage
from tests.people import named_urls

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared")]

NOTE, SUMMARY, REASON = "note-q7x1", "summary-q7x2", "reason-q7x3"
MARKERS = (NOTE, SUMMARY, REASON)
CLOSED = "stays closed until your own scorecard is in"


@pytest.fixture
def people():
    return {
        "ann": stage.interviewer("Ann"),
        "ben": stage.interviewer("Ben"),
        "chair": stage.interviewer("Chair"),
        "owner": stage.interviewer("Olga", Role.OWNER),
        "stranger": stage.interviewer("Sam"),
        "cand": stage.interviewer("Kim", Role.CANDIDATE),
    }


@pytest.fixture
def interview(people):
    """Ann is in, with a marker in all that she wrote; Ben is not."""
    panel = [people["ann"], people["ben"]]
    made = stage.interview(stage.kit(people["chair"]), panel, owner=people["chair"])
    card = stage.score(made, people["ann"], [4, 0])
    first = card.in_order()[0]
    Note.objects.write(
        first, uuid4(), NOTE, rung_id="", at_s=61, revision=0, now=stage.NOW
    )
    card.write_summary(SUMMARY, 0)
    rungs = stage.rungs_of(made)
    card.submit(rungs, stage.NOW)
    first.refresh_from_db()
    own = rungs[first.asked_id]
    first.revise(own, (), stage.marking(first, own, 3), REASON, stage.NOW)
    return made


def everything(browser, interview):
    """All that the bank gives about the interview, by the name of its address."""
    found = {}
    for name, pattern in named_urls().items():
        wanted = pattern.pattern.converters
        if name.startswith(("bank:", "candidate:")) and "interview_id" in wanted:
            known = {"interview_id": interview.pk, "position": 1}
            if set(wanted) <= set(known):
                found[name] = content(browser, name, known, wanted)
    return found


def content(browser, name, known, wanted):
    there = reverse(name, kwargs={key: known[key] for key in wanted})
    response = browser.get(there, follow=True)
    headers = " ".join(response.headers.values())
    return f"{headers} {response.content.decode()}"


def seen(browser, interview):
    """Which markers are in anything."""
    text = " ".join(everything(browser, interview).values())
    return {marker for marker in MARKERS if marker in text}


def test_who_is_not_in_finds_nothing_of_a_colleague_anywhere(people, interview):
    ben = stage.browser(people["ben"])
    assert seen(ben, interview) == set()
    text = everything(ben, interview)["bank:debrief"]
    assert CLOSED in text
    assert "Ann: submitted" in text
    assert "1 of 2 are in" in text
    assert not AuditEntry.objects.filter(verb=Verb.SAW_SCORES).exists()


def test_that_a_colleague_revised_is_closed_as_well(people, interview):
    text = everything(stage.browser(people["ben"]), interview)["bank:debrief"]
    assert "Ann: submitted" in text
    assert "revised" not in text.lower()


def test_a_draft_of_one_s_own_opens_nothing(people, interview):
    stage.score(interview, people["ben"], [1, 1])
    assert seen(stage.browser(people["ben"]), interview) == set()


def test_with_one_s_own_submission_everything_is_open(people, interview):
    stage.submit(interview, people["ben"], [1, 1])
    found = everything(stage.browser(people["ben"]), interview)
    for name in ("bank:debrief", "bank:debrief_md", "bank:debrief_json"):
        assert all(marker in found[name] for marker in MARKERS), name
    assert NOTE in found["bank:debrief_csv"]
    assert REASON in found["bank:debrief_csv"]


def test_one_s_own_is_always_open_and_only_it(people, interview):
    own = stage.browser(people["ann"])
    stage.score(interview, people["ben"], [1, 1])
    text = everything(own, interview)["bank:debrief_json"]
    assert all(marker in text for marker in MARKERS)
    assert '"interviewer": "Ben"' not in text
    assert not AuditEntry.objects.filter(verb=Verb.SAW_SCORES).exists()


@pytest.mark.parametrize("who", ["chair", "owner"])
def test_who_is_not_on_the_panel_waits_for_all_of_it(people, interview, who):
    browser = stage.browser(people[who])
    assert seen(browser, interview) == set()
    text = everything(browser, interview)["bank:debrief"]
    assert "opens to you when everybody’s scorecard is in" in text
    stage.submit(interview, people["ben"], [1, 1])
    assert seen(browser, interview) == set(MARKERS)


def test_a_scorecard_of_somebody_who_left_the_panel_stands_for_nobody(
    people, interview
):
    third = stage.interviewer("Dora")
    interview.panel.create(user=third)
    stage.submit(interview, third, [2, 2])
    interview.panel.filter(user=third).delete()
    # Two scorecards and a panel of two, but Ben's is not in.
    cards = Scorecard.objects.open_to(people["chair"], interview)
    assert not cards.exists()


@pytest.mark.parametrize("who", ["stranger", "cand"])
def test_others_never_see_anything_of_it(people, interview, who):
    stage.submit(interview, people["ben"], [1, 1])
    assert seen(stage.browser(people[who]), interview) == set()


def test_the_candidate_at_their_seat_never_sees_anything_of_it(people, interview):
    seat = stage.applicant(interview)
    assert seen(seat, interview) == set()
    stage.submit(interview, people["ben"], [1, 1])
    interview.end(people["chair"], stage.NOW)
    assert seen(seat, interview) == set()
