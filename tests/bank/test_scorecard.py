"""A scorecard from draft to revised: what locks it, and what two tabs may do to it."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from interview.bank.errors import BankError, Changed, Frozen
from interview.bank.models import AuditEntry, Note, Scorecard, State, Verb
from interview.rating.rating import Mark
from tests.bank import stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared")]


@pytest.fixture
def ann():
    return stage.interviewer("Ann")


@pytest.fixture
def ben():
    return stage.interviewer("Ben")


@pytest.fixture
def interview(ann, ben):
    return stage.interview(stage.kit(ann), [ann, ben])


def own(interview, person):
    return Scorecard.objects.get(interview=interview, interviewer=person)


def score_of(interview, person, position=1):
    return own(interview, person).in_order()[position - 1]


def at(name, interview, *arguments):
    return reverse(f"bank:{name}", args=[interview.pk, *arguments])


def marked_as(interview, score, rating):
    """Arguments of `mark` and `revise` that lead to the rating."""
    rungs = stage.rungs_of(interview)[score.asked_id]
    return rungs, (), stage.marking(score, rungs, rating)


def revision_form(interview, score, rating, **changes):
    *_, given = marked_as(interview, score, rating)
    marks = {f"mark-{rung}": str(mark) for rung, mark in given.marks.items()}
    return marks | {"revision": score.revision, "reason": "Read it again"} | changes


# ---- states


def test_a_review_says_what_is_missing_and_takes_no_summary_yet(interview, ann):
    browser = stage.browser(ann)
    text = browser.get(at("review", interview)).text
    assert "Draft: 2 of 2 questions are not marked yet" in text
    assert "<textarea" not in text
    sent = {"summary": "Clear and calm", "revision": 0}
    refused = browser.post(at("review", interview), sent)
    assert refused.status_code == 422
    assert "Clear and calm" in refused.text
    assert own(interview, ann).summary == ""


def test_when_all_is_marked_it_is_ready(interview, ann):
    stage.score(interview, ann, [3, None])
    text = stage.browser(ann).get(at("review", interview)).text
    assert "Ready: every question is marked" in text
    assert "Submitting locks your scorecard" in text


def test_a_draft_is_not_submitted_and_keeps_what_was_typed(interview, ann):
    Scorecard.objects.of(interview, ann, stage.NOW)
    sent = {"summary": "Too early", "revision": 0}
    refused = stage.browser(ann).post(at("submit", interview), sent)
    assert refused.status_code == 422
    assert "Too early" in refused.text
    assert "Question 1 is not marked yet" in refused.text
    card = own(interview, ann)
    assert (card.is_in, card.summary) == (False, "")


def test_a_submission_takes_the_summary_with_it_and_locks(interview, ann):
    stage.score(interview, ann, [3, 1])
    sent = {"summary": "First\r\nsecond", "revision": 0}
    browser = stage.browser(ann)
    done = browser.post(at("submit", interview), sent)
    assert (done.status_code, done.url) == (303, at("debrief", interview))
    card, score = own(interview, ann), score_of(interview, ann)
    assert (card.state, card.summary) == (State.SUBMITTED, "First\nsecond")
    with pytest.raises(Frozen):
        score.mark(*marked_as(interview, score, 4), stage.NOW)
    with pytest.raises(Frozen):
        Note.objects.write(
            score, uuid4(), "late", rung_id="", at_s=0, revision=0, now=stage.NOW
        )


def test_a_submission_that_comes_twice_is_one(interview, ann):
    stage.score(interview, ann, [3, 1])
    sent = {"summary": "Good", "revision": 0}
    browser = stage.browser(ann)
    answers = [browser.post(at("submit", interview), sent) for _ in range(2)]
    assert [each.status_code for each in answers] == [303, 303]
    assert AuditEntry.objects.filter(verb=Verb.SUBMITTED).count() == 1


def test_another_summary_after_the_submission_is_told_not_lost(interview, ann):
    stage.submit(interview, ann, [3, 1])
    sent = {"summary": "A later thought", "revision": 0}
    for name in ("review", "submit"):
        refused = stage.browser(ann).post(at(name, interview), sent)
        assert refused.status_code == 409
        assert "A later thought" in refused.text
    assert own(interview, ann).summary == ""


def test_a_summary_of_another_tab_is_not_overwritten(interview, ann):
    stage.score(interview, ann, [3, 1])
    browser, there = stage.browser(ann), at("review", interview)
    assert browser.post(there, {"summary": "First", "revision": 0}).status_code == 303
    late = browser.post(there, {"summary": "Second", "revision": 0})
    assert late.status_code == 409
    assert "First" in late.text
    assert "Second" in late.text
    assert own(interview, ann).summary == "First"
    # The form of that page has seen both.
    again = {"summary": "Second", "revision": own(interview, ann).summary_revision}
    assert f'name="revision" value="{again["revision"]}"' in late.text
    assert browser.post(there, again).status_code == 303
    assert own(interview, ann).summary == "Second"


def test_a_form_that_is_too_long_keeps_the_revision_it_was_drawn_with(interview, ann):
    card = stage.score(interview, ann, [3, 1])
    card.write_summary("Of the other tab", 0)
    sent = {"summary": "x" * 5001, "revision": 0}
    refused = stage.browser(ann).post(at("review", interview), sent)
    assert refused.status_code == 422
    assert 'name="revision" value="0"' in refused.text
    assert "holds 5000 characters" in refused.text


def test_a_voided_question_needs_no_marks(interview, ann):
    score = Scorecard.objects.of(interview, ann, stage.NOW).in_order()[1]
    score.asked.question.void("It leaked", stage.NOW)
    first = Scorecard.objects.get(interviewer=ann).in_order()[0]
    first.mark(*marked_as(interview, first, 2), stage.NOW)
    text = stage.browser(ann).get(at("review", interview)).text
    assert "Ready" in text
    own(interview, ann).submit(stage.rungs_of(interview), stage.NOW)
    assert own(interview, ann).is_in


# ---- revisions


def test_a_revision_needs_a_reason_and_keeps_both_values(interview, ann):
    stage.submit(interview, ann, [3, 1])
    score, browser = score_of(interview, ann), stage.browser(ann)
    there = at("revise", interview, 1)
    refused = browser.post(there, revision_form(interview, score, 2, reason="  "))
    assert refused.status_code == 422
    assert "Say why you change a rating" in refused.text
    assert score_of(interview, ann).rating == 3
    done = browser.post(there, revision_form(interview, score, 2))
    assert (done.status_code, done.url) == (
        303,
        f"{at('review', interview)}#question-1",
    )
    kept = score_of(interview, ann).revisions.get()
    assert (kept.before["rating"], kept.after["rating"]) == (3, 2)
    assert kept.reason == "Read it again"
    assert own(interview, ann).state == State.REVISED
    text = browser.get(at("review", interview)).text
    assert "<del>L3</del>" in text
    assert "<ins>L2</ins>" in text
    assert "Read it again" in text


def test_a_refused_revision_shows_the_marks_that_were_sent(interview, ann):
    stage.submit(interview, ann, [3, 1])
    score = score_of(interview, ann)
    sent = revision_form(interview, score, 0, reason="", not_asked="1")
    text = stage.browser(ann).post(at("revise", interview, 1), sent).text
    lowest = stage.rungs_of(interview)[score.asked_id][0].id
    assert f'name="mark-{lowest}" value="not-met" checked' in text
    assert 'name="not_asked" value="1" checked' in text


def test_a_revision_that_changes_nothing_is_none(interview, ann):
    stage.submit(interview, ann, [3, 1])
    sent = revision_form(interview, score_of(interview, ann), 3)
    done = stage.browser(ann).post(at("revise", interview, 1), sent)
    assert done.status_code == 303
    assert own(interview, ann).state == State.SUBMITTED
    assert not AuditEntry.objects.filter(verb=Verb.REVISED).exists()


def test_the_same_revision_sent_twice_is_kept_once(interview, ann):
    stage.submit(interview, ann, [3, 1])
    score = score_of(interview, ann)
    sent = revision_form(interview, score, 2)
    browser = stage.browser(ann)
    for _ in range(2):
        done = browser.post(at("revise", interview, 1), sent)
        assert done.status_code == 303
    assert score.revisions.count() == 1


def test_a_revision_of_an_older_page_is_told(interview, ann):
    stage.submit(interview, ann, [3, 1])
    score, browser = score_of(interview, ann), stage.browser(ann)
    browser.post(at("revise", interview, 1), revision_form(interview, score, 2))
    late = revision_form(interview, score, 4, reason="From the other tab")
    told = browser.post(at("revise", interview, 1), late)
    assert told.status_code == 409
    assert "From the other tab" in told.text
    assert score_of(interview, ann).rating == 2


def test_a_draft_is_marked_in_the_console_not_revised(interview, ann):
    score = stage.score(interview, ann, [3, 1]).in_order()[0]
    sent = revision_form(interview, score, 2)
    done = stage.browser(ann).post(at("revise", interview, 1), sent)
    assert (done.status_code, done.url) == (303, at("review", interview))
    assert score_of(interview, ann).rating == 3
    with pytest.raises(BankError, match="a draft needs no reason"):
        score.revise(*marked_as(interview, score, 2), "x", stage.NOW)


def test_a_revision_never_leaves_a_question_half_marked(interview, ann):
    stage.submit(interview, ann, [3, 1])
    sent = {"revision": score_of(interview, ann).revision, "reason": "Why not"}
    refused = stage.browser(ann).post(at("revise", interview, 1), sent)
    assert refused.status_code == 422
    assert "not marked yet" in refused.text
    assert score_of(interview, ann).rating == 3


def test_a_question_that_is_not_there_is_not_found(interview, ann):
    stage.submit(interview, ann, [3, 1])
    assert stage.browser(ann).get(at("revise", interview, 3)).status_code == 404


def test_the_cost_of_a_review_does_not_grow_with_its_questions(ann):
    with_two = stage.interview(stage.kit(ann), [ann])
    cards = (stage.FIRST, stage.SECOND, stage.THIRD)
    with_three = stage.interview(stage.kit(ann, *cards), [ann])
    stage.score(with_two, ann, [1, 2])
    stage.score(with_three, ann, [1, 2, 3])
    browser = stage.browser(ann)
    browser.get(at("review", with_two))
    few, many = (queries(browser, at("review", i)) for i in (with_two, with_three))
    assert few == many


def queries(browser, address):
    with CaptureQueriesContext(connection) as found:
        browser.get(address)
    return len(found)


# ---- at the same moment


def at_once(*works):
    """What each gave, or the BankError with which it was refused."""

    def one(work):
        try:
            return work()
        except BankError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(one, works))


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_mark_at_once_lose_nothing_silently(interview, ann):
    score = Scorecard.objects.of(interview, ann, stage.NOW).in_order()[0]

    def mark(rating):
        fresh = score_of(interview, ann)
        fresh.mark(*marked_as(interview, score, rating), stage.NOW)
        return rating

    found = at_once(*(lambda r=r: mark(r) for r in (0, 1, 2, 3)))
    saved = [each for each in found if isinstance(each, int)]
    assert len(saved) == 1
    assert all(isinstance(each, Changed | int) for each in found)
    assert score_of(interview, ann).rating == saved[0]


@pytest.mark.django_db(transaction=True)
def test_two_interviewers_at_once_save_both_theirs(interview, ann, ben):
    for person in (ann, ben):
        Scorecard.objects.of(interview, person, stage.NOW)

    def work(person, ratings):
        return stage.submit(interview, person, ratings).state

    found = at_once(lambda: work(ann, [4, 3]), lambda: work(ben, [0, 1]))
    assert found == [State.SUBMITTED, State.SUBMITTED]
    for person, ratings in ((ann, [4, 3]), (ben, [0, 1])):
        scores = own(interview, person).in_order()
        assert [each.rating for each in scores] == ratings


@pytest.mark.django_db(transaction=True)
def test_a_mark_beside_a_submission_is_in_it_or_refused(interview, ann):
    stage.score(interview, ann, [3, 1])
    score, rungs = score_of(interview, ann), stage.rungs_of(interview)

    def mark():
        given = marked_as(interview, score, 4)
        score_of(interview, ann).mark(*given, stage.NOW)
        return "marked"

    def submit():
        own(interview, ann).submit(rungs, stage.NOW)
        return "submitted"

    marked, submitted = at_once(mark, submit)
    assert submitted == "submitted"
    expected = 4 if marked == "marked" else 3
    assert marked == "marked" or isinstance(marked, Frozen)
    assert score_of(interview, ann).rating == expected


@pytest.mark.django_db(transaction=True)
def test_many_submissions_at_once_are_one(interview, ann):
    stage.score(interview, ann, [3, 1])
    rungs = stage.rungs_of(interview)

    def submit():
        return own(interview, ann).submit(rungs, stage.NOW)

    assert at_once(*[submit] * 4) == [None] * 4
    assert AuditEntry.objects.filter(verb=Verb.SUBMITTED).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_revisions_at_once_keep_one_and_tell_the_other(interview, ann):
    stage.submit(interview, ann, [3, 1])
    score = score_of(interview, ann)

    def revise(rating):
        given = marked_as(interview, score, rating)
        score_of(interview, ann).revise(*given, f"to {rating}", stage.NOW)
        return rating

    found = at_once(lambda: revise(1), lambda: revise(2))
    assert sum(isinstance(each, Changed) for each in found) == 1
    kept = score.revisions.get()
    assert kept.after["rating"] == score_of(interview, ann).rating
    assert kept.reason == f"to {kept.after['rating']}"


def test_marks_of_unknown_kind_are_left_out(interview, ann):
    stage.submit(interview, ann, [3, 1])
    score = score_of(interview, ann)
    rung = stage.rungs_of(interview)[score.asked_id][0].id
    sent = revision_form(interview, score, 3) | {f"mark-{rung}": "superb"}
    refused = stage.browser(ann).post(at("revise", interview, 1), sent)
    assert refused.status_code == 422
    assert score_of(interview, ann).marked()[rung] == Mark.MET
