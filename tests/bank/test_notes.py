"""Notes of the console: each has its key, and two tabs lose none of what was typed."""

from datetime import timedelta
from threading import Barrier, Thread
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from interview.bank.errors import BankError, Changed
from interview.bank.models import Interview, Marking, Note, Scorecard
from interview.rating.rating import Mark
from tests.bank import stage

KEY = UUID("00000000-0000-4000-8000-0000000000aa")


@pytest.fixture(autouse=True)
def shared_mode(settings):
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def ian(db):
    return stage.interviewer("Ian")


@pytest.fixture
def planned(ian):
    return stage.interview(stage.kit(ian), [ian])


@pytest.fixture
def send(planned, ian):
    """Sends one note in the background, as the console does while it is typed."""
    client = stage.browser(ian)

    def send_note(text, *, key=KEY, read=0, position=1, as_json=True, **fields):
        address = reverse("bank:note", args=[planned.pk, position])
        sent = {"note": key, f"text-{key}": text, f"read-{key}": read}
        sent |= {f"{name}-{key}": value for name, value in fields.items()}
        headers = {"Accept": "application/json"} if as_json else {}
        return client.post(address, sent, headers=headers)

    return send_note


def score_of(interview, person):
    return Scorecard.objects.of(interview, person, timezone.now()).in_order()[0]


def test_a_note_grows_while_it_is_typed(send, planned, ian):
    first = send("says prefill")
    assert (first.status_code, first.json()["revision"]) == (200, 1)
    assert send("says prefill is compute bound", read=1).json()["revision"] == 2
    assert Note.objects.get().text == "says prefill is compute bound"
    assert (
        "says prefill is compute bound"
        in stage.browser(ian).get(reverse("bank:question", args=[planned.pk, 1])).text
    )


def test_a_note_that_comes_twice_is_saved_once(send):
    for _ in range(2):
        assert send("once").json()["revision"] == 1
    assert Note.objects.count() == 1


def test_a_late_note_of_another_tab_is_told_what_is_saved(send):
    send("from the first tab")
    late = send("from the second tab", read=0)
    assert late.status_code == 409
    assert late.json()["text"] == "from the first tab"
    assert not late.json()["is_final"]
    assert Note.objects.get().text == "from the first tab"
    mine = send("from the second tab", read=late.json()["revision"])
    assert mine.status_code == 200


def test_a_late_note_of_a_plain_form_is_shown_again(send):
    send("saved before")
    late = send("typed without scripts", as_json=False)
    assert late.status_code == 409
    assert "saved before" in late.text
    assert ">typed without scripts</textarea>" in late.text
    assert f'name="read-{KEY}" value="1"' in late.text


def test_an_empty_note_is_none_until_something_was_written(send):
    assert send("").json()["revision"] == 0
    assert not Note.objects.exists()
    send("something")
    assert send("", read=1).json()["revision"] == 2
    assert Note.objects.get().text == ""


def test_a_note_is_about_a_follow_up_that_is_asked(send, planned, ian):
    rung = score_of(planned, ian).asked.question.rungs_named[1]
    assert send("text", about=rung).json()["about"] == rung
    assert send("text", read=1, about="no-such-rung").json()["about"] == ""


def test_the_clock_of_a_note_is_the_servers(send, planned):
    begun = timezone.now() - timedelta(seconds=100)
    Interview.objects.filter(pk=planned.pk).update(started_at=begun)
    send("kept while the network was away", at=40)
    send("from a clock that is ahead", key=uuid4(), at=4000)
    first, second = Note.objects.order_by("at_s")
    assert first.at_s == 40
    assert 100 <= second.at_s < 200


def test_a_note_keeps_the_second_at_which_it_was_begun(send):
    send("first words", at=0)
    send("first words and more", read=1, at=500)
    assert Note.objects.get().at_s == 0


@pytest.mark.parametrize("typed", ["\x00nul", "two\r\nlines"])
def test_what_no_database_takes_is_left_out(send, typed):
    assert send(typed).status_code == 200
    assert "\x00" not in Note.objects.get().text
    assert "\r" not in Note.objects.get().text


def test_too_long_a_note_is_refused_and_shown_again(send):
    refused = send("w" * 5001)
    assert refused.status_code == 422
    assert "at most 5,000 characters" in refused.json()["sentence"]
    shown = send("w" * 5001, as_json=False)
    assert shown.status_code == 422
    assert "w" * 5001 in shown.text


@pytest.mark.parametrize("key", ["", "x", "12345"])
def test_a_key_that_is_none_keeps_nothing(send, key):
    assert send("text", key=key).status_code == 422
    assert not Note.objects.exists()


def test_a_key_of_somebody_elses_note_changes_nothing(send, planned):
    mia = stage.interviewer("Mia")
    other = stage.interview(stage.kit(mia, title="Other"), [mia])
    Note.objects.write(
        score_of(other, mia),
        KEY,
        "hers",
        rung_id="",
        at_s=0,
        revision=0,
        now=timezone.now(),
    )
    refused = send("mine", read=1)
    assert refused.status_code == 422
    assert "hers" not in refused.text
    assert Note.objects.get().text == "hers"


def test_a_submitted_scorecard_takes_no_note(send, planned, ian):
    send("in time")
    stage.submit(planned, ian, [1, 1])
    late = send("too late", read=1)
    assert late.status_code == 409
    assert late.json()["is_final"]
    assert Note.objects.get().text == "in time"


# Two at the same moment


def at_once(*acts):
    """What each came to: its value, or the error of the bank."""
    start, found = Barrier(len(acts)), [None] * len(acts)

    def run(at, act):
        start.wait()
        try:
            found[at] = act()
        except BankError as error:
            found[at] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def write(score, text, revision=0, key=KEY):
    now = timezone.now()
    return Note.objects.write(
        score, key, text, rung_id="", at_s=0, revision=revision, now=now
    )


def mark(score, rungs, mark, revision=0):
    marks = {rung.id: mark for rung in rungs}
    given = Marking(marks, hinted=(), said=(), not_asked=False, revision=revision)
    score.mark(rungs, (), given, timezone.now())
    return score.revision


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_of_two_tabs_with_one_note_the_second_is_told(self, planned, ian):
        score = score_of(planned, ian)
        texts = ["from one tab", "from the other tab"]
        found = at_once(*[lambda text=text: write(score, text) for text in texts])
        told = [one for one in found if isinstance(one, Changed)]
        assert len(told) == 1
        saved = Note.objects.get()
        assert saved.text in texts
        assert told[0].now.text == saved.text

    def test_the_same_note_sent_twice_at_once_is_one(self, planned, ian):
        score = score_of(planned, ian)
        found = at_once(*[lambda: write(score, "the same")] * 2)
        assert [one.revision for one in found] == [1, 1]

    def test_notes_of_two_tabs_are_both_kept(self, planned, ian):
        score = score_of(planned, ian)
        at_once(
            *[lambda at=at: write(score, f"note {at}", key=uuid4()) for at in (1, 2)]
        )
        assert {note.text for note in Note.objects.all()} == {"note 1", "note 2"}

    def test_of_two_tabs_with_other_marks_the_second_is_told(self, planned, ian):
        rungs = stage.rungs_of(planned)[score_of(planned, ian).asked_id]
        tabs = [score_of(planned, ian) for _ in range(2)]
        given = [Mark.MET, Mark.NOT_MET]
        found = at_once(
            *[
                lambda tab=tab, one=one: mark(tab, rungs, one)
                for tab, one in zip(tabs, given, strict=True)
            ]
        )
        assert sorted(isinstance(one, Changed) for one in found) == [False, True]
        assert score_of(planned, ian).revision == 1

    def test_two_interviewers_never_meet(self, ian):
        mia = stage.interviewer("Mia")
        both = stage.interview(stage.kit(ian, title="Both"), [ian, mia])
        scores = [score_of(both, each) for each in (ian, mia)]
        rungs = stage.rungs_of(both)[scores[0].asked_id]
        found = at_once(
            lambda: mark(scores[0], rungs, Mark.MET),
            lambda: mark(scores[1], rungs, Mark.NOT_MET),
        )
        assert found == [1, 1]
        assert [score_of(both, each).rating for each in (ian, mia)] == [4, 0]

    def test_two_tabs_that_open_the_console_at_once_make_one_scorecard(
        self, planned, ian
    ):
        now = timezone.now()
        found = at_once(*[lambda: Scorecard.objects.of(planned, ian, now)] * 2)
        assert found[0] == found[1]
        assert found[0].scores.count() == 2
