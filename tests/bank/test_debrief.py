"""The debrief: side by side, the widest spread first, and no verdict of the machine."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from interview.bank.models import AuditEntry, Evidence, Note, Verb
from interview.bank.scorecards.debrief import Debrief
from interview.lab.models import Run
from interview.lab.runs.spec import Spec
from interview.web.rendering import renderer
from tests.bank import stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared")]
CARDS = (stage.FIRST, stage.SECOND, stage.THIRD)


@pytest.fixture
def panel():
    return [stage.interviewer(name) for name in ("Ann", "Ben", "Cem")]


@pytest.fixture
def interview(panel):
    return stage.interview(stage.kit(panel[0], *CARDS), panel)


def address(interview):
    return reverse("bank:debrief", args=[interview.pk])


def as_seen(interview, person):
    return Debrief.of(interview, person, renderer())


def positions(compared):
    return [each.question.position for each in compared]


def test_the_widest_spread_comes_first_unless_the_kit_s_order_is_asked_for(
    interview, panel
):
    ratings = ([2, 0, 3], [2, 4, 2], [2, 1, 2])
    for person, given in zip(panel, ratings, strict=True):
        stage.submit(interview, person, given)
    browser = stage.browser(panel[0])
    by_spread = browser.get(address(interview)).context["questions"]
    by_kit = browser.get(address(interview), {"order": "kit"}).context["questions"]
    assert positions(by_spread) == [2, 3, 1]
    assert positions(by_kit) == [1, 2, 3]
    spreads = [each.spread for each in by_kit]
    assert spreads == [
        "all L2",
        "below L1 to L4, 4 steps apart",
        "L2 to L3, 1 step apart",
    ]


def test_it_says_how_many_are_in(interview, panel):
    stage.submit(interview, panel[0], [2, 2, 2])
    assert as_seen(interview, panel[0]).title == "1 of 3 are in"
    for person in panel[1:]:
        stage.submit(interview, person, [2, 2, 2])
    assert as_seen(interview, panel[0]).title == "All 3 are in"


def test_levels_are_counted_not_added_up(interview, panel):
    stage.submit(interview, panel[0], [2, 4, None])
    [bars] = as_seen(interview, panel[0]).levels
    assert [bar.count for bar in bars.bars] == [0, 0, 1, 0, 1]
    assert (
        bars.words == "L2 in 1 question, L4 in 1 question; 1 question without a rating"
    )


def test_no_sum_no_mean_and_no_recommendation(interview, panel):
    for person, given in zip(panel, ([1, 2, 4], [2, 2, 4], [1, 1, 3]), strict=True):
        stage.submit(interview, person, given)
    text = stage.browser(panel[0]).get(address(interview)).text.lower()
    # The words of the cards come after.
    head = text[text.index("<main") : text.index('id="questions"')]
    words = re.sub(r"<[^>]*>", " ", head)
    assert "levels reached" in words
    for word in ("total", "average", "mean", "median", "hire", "recommend", "overall"):
        assert word not in words, word


def test_a_voided_question_stands_apart_and_counts_nowhere(interview, panel):
    for person in panel[:2]:
        stage.submit(interview, person, [0, 3, 3])
    interview.in_order()[0].question.void("The card leaked", stage.NOW)
    shown = as_seen(interview, panel[0])
    assert (positions(shown.compared), positions(shown.voided)) == ([2, 3], [1])
    assert [bar.count for bar in shown.levels[0].bars] == [0, 0, 0, 2, 0]
    text = stage.browser(panel[0]).get(address(interview)).text
    assert "The card leaked" in text


def test_notes_of_all_stand_by_time_with_their_writers(interview, panel):
    for person, at_s, words in ((panel[0], 130, "second"), (panel[1], 5, "first")):
        score = stage.score(interview, person, [2, 2, 2]).in_order()[0]
        Note.objects.write(
            score, uuid4(), words, rung_id="", at_s=at_s, revision=0, now=stage.NOW
        )
        stage.submit(interview, person, [2, 2, 2])
    lines = as_seen(interview, panel[0]).compared[0].notes
    found = [(line.at, line.interviewer, line.note.text) for line in lines]
    assert found == [("0:05", "Ben", "first"), ("2:10", "Ann", "second")]


def test_marks_hints_and_wrong_answers_stand_side_by_side(interview, panel):
    ann, ben = (
        stage.score(interview, person, [3, 2, 2]).in_order()[0] for person in panel[:2]
    )
    rungs = stage.rungs_of(interview)[ann.asked_id]
    card = as_seen(interview, panel[0])
    assert not card.is_open
    wrong = stage.library().cards[stage.FIRST].wrong_answers[0]
    top = next(rung for rung in rungs if rung.level == "L3")
    heard = stage.marking(ann, rungs, 3, hinted=[top.id], said=[wrong.id])
    ann.mark(rungs, [wrong.id], heard, stage.NOW)
    for person, score in ((panel[0], ann), (panel[1], ben)):
        score.scorecard.submit(stage.rungs_of(interview), stage.NOW)
        assert as_seen(interview, person).is_open
    shown = as_seen(interview, panel[0]).compared[0]
    assert [entry.word for entry in shown.entries] == ["L2", "L3"]
    assert shown.entries[0].cap == "capped by a hint at L3, L3 without it"
    words = {rung.id: [m.word for m in marks] for rung, _, marks in shown.rungs}
    assert words[top.id] == ["met, with a hint", "met"]
    [(heard, who)] = shown.heard
    assert (heard.id, who) == (wrong.id, [True, False])


def test_a_run_that_was_attached_is_named_with_its_claim(interview, panel, settings):
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:1", "m"
    run = Run.objects.queue(panel[0], Spec(prompt="Hello"), timezone.now())
    asked = interview.in_order()[0]
    Evidence.objects.create(
        interview=interview,
        asked=asked,
        run=run,
        claim="The second one is cached",
        attached_by=panel[0],
        attached_at=stage.NOW,
    )
    stage.submit(interview, panel[0], [2, 2, 2])
    text = stage.browser(panel[0]).get(address(interview)).text
    assert f"Run {run.slug}" in text
    assert "The second one is cached" in text


def test_what_people_typed_is_text(interview, panel):
    score = stage.score(interview, panel[0], [2, 2, 2]).in_order()[0]
    Note.objects.write(
        score, uuid4(), "<b>x</b>", rung_id="", at_s=0, revision=0, now=stage.NOW
    )
    stage.submit(interview, panel[0], [2, 2, 2])
    text = stage.browser(panel[0]).get(address(interview)).text
    assert "&lt;b&gt;x&lt;/b&gt;" in text


def test_a_look_at_others_scores_is_in_the_audit_once_a_minute(interview, panel):
    for person in panel[:2]:
        stage.submit(interview, person, [2, 2, 2])
    sights = AuditEntry.objects.filter(verb=Verb.SAW_SCORES)
    browser = stage.browser(panel[0])
    for ask in (browser.head, browser.get, browser.get):
        ask(address(interview))
    assert [each.actor_id for each in sights] == [panel[0].pk]
    later = timezone.now() + timedelta(minutes=1, seconds=1)
    AuditEntry.objects.note_sight(panel[0].pk, interview.pk, later)
    assert sights.all().count() == 2


def test_its_cost_grows_neither_with_questions_nor_with_interviewers(panel):
    small = stage.interview(stage.kit(panel[0]), panel[:1])
    large = stage.interview(stage.kit(panel[0], *CARDS), panel)
    stage.submit(small, panel[0], [1, 2])
    for person in panel:
        stage.submit(large, person, [1, 2, 3])
    browser = stage.browser(panel[0])
    counts = []
    for each in (small, large):
        # The first look at others' scores is written down.
        browser.get(address(each))
        with CaptureQueriesContext(connection) as found:
            browser.get(address(each))
        counts.append(len(found))
    # Whether the minute's sight is there is asked only where others are.
    assert counts[1] - counts[0] == 1
    assert counts[1] < 30
