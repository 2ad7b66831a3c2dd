"""What one keeps to a card: note, flag, suspend; its state in words; whose it is."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client

from interview.accounts.models import Role, User
from interview.cards.card import Audience
from interview.cards.library import Library
from interview.recall.grade import Grade
from interview.study.audience import visible_card
from interview.study.models import (
    Act,
    ActKind,
    Answer,
    CardMark,
    Item,
    NoteChanged,
    Plan,
    Session,
    SessionStep,
)
from interview.study.own.due_words import due_words
from interview.study.own.mine import Mine
from interview.web.content import library
from tests.study.conftest import card_text

pytestmark = pytest.mark.usefixtures("content", "db")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)  # a Monday
AT = "/cards/two-phases/mine/"


@pytest.fixture
def person(candidate):
    return User.objects.get(name="c")


def save(client, note, revision=0, at=AT, **headers):
    sent = {"act": "note", "note": note, "note_revision": revision}
    return client.post(at, sent, headers=headers)


def press(client, act):
    return client.post(AT, {"act": act})


def graded(person, rung_id, grade, at=NOW):
    plan = Plan.objects.of(person)
    card = visible_card(library(), "two-phases", Audience.CANDIDATE)
    session = Session.objects.create(user=person, kind="practice", started_at=at)
    step = SessionStep.objects.create(session=session, position=1, card_id=card.id)
    return Act.objects.grade(plan, step, Answer(card, rung_id, grade), at)[0]


def lines(person, now=NOW):
    card = library().cards["two-phases"]
    mine = Mine.of(person, "two-phases", card, now)
    return [f"{line.name}: {line.words}" for line in mine.lines]


def test_the_kept_page_of_a_card_names_the_part_and_holds_none_of_it(candidate):
    save(candidate, "my secret")
    html = candidate.get("/cards/two-phases/").text
    assert f'hx-get="{AT}"' in html
    assert f'<a href="{AT}">' in html
    assert "my secret" not in html


def test_the_part_alone_and_as_a_page_is_never_kept(candidate):
    whole = candidate.get(AT)
    part = candidate.get(AT, headers={"HX-Request-Type": "partial"})
    assert "<html" in whole.text
    assert "<html" not in part.text
    assert 'id="mine-note"' in part.text
    for response in (whole, part):
        assert "no-store" in response["Cache-Control"]


def test_a_note_is_kept_and_shown_as_text_without_links(candidate, person):
    response = save(candidate, "<b>see</b> https://example.org/\r\nnext line  \n")
    assert (response.status_code, response["Location"]) == (303, f"{AT}?done=note")
    html = candidate.get(response["Location"]).text
    assert "Saved." in html
    assert '<p class="mine__text">&lt;b&gt;see&lt;/b&gt; https://example.org/\n' in html
    assert "https://example.org/</a>" not in html
    mark = CardMark.objects.get()
    assert mark.note.endswith("\nnext line")
    assert (mark.user, mark.note_revision) == (person, 1)
    assert 'name="note_revision" value="1"' in html


def test_a_stale_save_is_refused_and_both_texts_are_shown(candidate):
    save(candidate, "from the first tab")
    response = save(candidate, "from the <second> tab", revision=0)
    assert response.status_code == 409
    assert '<p class="mine__text">from the first tab</p>' in response.text
    assert "\nfrom the &lt;second&gt; tab</textarea>" in response.text
    assert CardMark.objects.get().note == "from the first tab"
    # The page now knows the newest revision: saving again is meant.
    assert 'name="note_revision" value="1"' in response.text
    assert save(candidate, "both", revision=1).status_code == 303
    assert CardMark.objects.get().note == "both"


def test_the_same_note_sent_twice_is_saved_once(candidate):
    for _ in range(2):
        assert save(candidate, "once").status_code == 303
    assert CardMark.objects.get().note_revision == 1


def test_a_note_can_be_emptied(candidate):
    save(candidate, "gone soon")
    save(candidate, "  \n", revision=1)
    mark = CardMark.objects.get()
    assert (mark.note, mark.note_revision) == ("", 2)
    assert "Write a note" in candidate.get(AT).text


def test_a_note_that_is_too_long_is_not_lost(candidate):
    response = save(candidate, "x" * 20_001)
    assert response.status_code == 422
    assert "20,001 characters, 20,000 are the most" in response.text
    assert "x" * 20_001 in response.text
    assert not CardMark.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"act": "explode"},
        {"act": "note", "note": "no revision"},
        {"act": "note", "note": "x", "note_revision": "-1"},
        {"act": "note", "note": "x", "note_revision": "9" * 30},
    ],
)
def test_nonsense_is_refused_and_keeps_nothing(candidate, sent):
    assert candidate.post(AT, sent).status_code == 400
    assert not CardMark.objects.exists()


@pytest.mark.parametrize(
    ("act", "back", "field"),
    [("flag", "unflag", "is_flagged"), ("suspend", "resume", "is_suspended")],
)
def test_marks_are_acts_once_each_and_can_be_undone(candidate, act, back, field):
    for _ in range(2):
        assert press(candidate, act).status_code == 303
    assert getattr(CardMark.objects.get(), field)
    assert [a.kind for a in Act.objects.all()] == [act]
    for _ in range(2):
        press(candidate, back)
    assert not getattr(CardMark.objects.get(), field)
    assert [a.kind for a in Act.objects.in_order()] == [act, back]
    Act.objects.undo(Act.objects.get(kind=back), NOW)
    assert getattr(CardMark.objects.get(), field)


def test_what_was_never_marked_is_not_taken_back(candidate):
    press(candidate, "unflag")
    assert not Act.objects.exists()


def test_a_suspended_card_says_since_when_and_what_it_means(candidate):
    press(candidate, "suspend")
    html = candidate.get(AT).text
    at = Act.objects.get().at
    assert f"Suspended on {at.day} {at:%B %Y}: practice asks neither" in html
    assert "Resume it" in html


def test_the_button_says_whether_the_card_is_flagged(candidate):
    assert 'value="flag" aria-pressed="false"' in candidate.get(AT).text
    press(candidate, "flag")
    assert 'value="unflag" aria-pressed="true"' in candidate.get(AT).text


def test_the_state_of_the_items_is_said_in_file_order(person):
    assert lines(person) == ["Question, L1, L2, L3, L4: not asked yet"]
    graded(person, "", Grade.SOLID)
    graded(person, "first", Grade.PARTLY)
    question, first, rest = lines(person)
    assert question.startswith("Question: solid, ")
    assert first.startswith("L1: partly, back today at ")
    assert rest == "L2, L3, L4: not asked yet"


def test_a_rung_that_waits_for_its_first_time_says_when(person):
    graded(person, "", Grade.SOLID)
    assert lines(person)[1] == "L1: first asked tomorrow"
    assert lines(person, NOW + timedelta(days=1))[1] == "L1: due today"


def test_a_suspended_card_promises_no_day(person):
    graded(person, "", Grade.SOLID)
    Act.objects.mark(person, "two-phases", ActKind.SUSPEND, NOW)
    assert lines(person)[:2] == ["Question: solid", "L1: not asked yet"]


def test_a_rung_above_the_goal_says_so(person):
    item = {"user": person, "card_id": "two-phases", "natural_due_at": NOW}
    Item.objects.create(**item, due_at=NOW, rung_id="fourth", reviews=1)
    assert lines(person)[0] == "L4: due today"
    Plan.objects.create(user=person, level="L3")
    assert lines(person)[0] == "L4: above the level of your goal"


def test_the_history_is_linked_once_there_is_one(candidate, person):
    link = '<a href="/progress/two-phases/">'
    assert link not in candidate.get(AT).text
    graded(person, "", Grade.SOLID)
    assert link in candidate.get(AT).text


def test_a_card_is_practised_from_its_page_unless_suspended(candidate):
    link = '<a href="/practice/?card=two-phases">'
    assert link in candidate.get(AT).text
    press(candidate, "suspend")
    assert link not in candidate.get(AT).text


def test_what_has_left_the_card_is_still_told(person):
    item = {"user": person, "card_id": "two-phases", "natural_due_at": NOW}
    Item.objects.create(**item, rung_id="old", reviews=1, last_grade="missed")
    assert lines(person)[-1] == "old: missed, no longer on the card"


def test_rungs_of_one_level_are_told_apart(content, person):
    added = "### L4 Fourth rung? {#fourth}\n\nExpected four.\n\n"
    again = added.replace("Fourth", "Last").replace("#fourth", "#last")
    text = card_text("two-phases").replace(added, added + again)
    content.write("cards/any/two-phases.md", text)
    card = Library.load([content.public]).cards["two-phases"]
    mine = Mine.of(person, card.id, card, NOW)
    assert mine.lines[0].name == "Question, L1, L2, L3, L4"
    item = {"user": person, "card_id": card.id, "natural_due_at": NOW}
    Item.objects.create(**item, rung_id="fourth", reviews=1, last_grade="solid")
    mine = Mine.of(person, card.id, card, NOW)
    assert [line.name for line in mine.lines] == [
        "L4 (1 of 2)",
        "Question, L1, L2, L3, L4 (2 of 2)",
    ]


MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("days", "interview_in", "words"),
    [
        (-3, None, "due today"),
        (0, None, "due today"),
        (1, None, "back tomorrow"),
        (3, None, "back on Thursday"),
        (6, None, "back on Sunday"),
        (7, None, "back on 7 December"),
        (43, None, "back on 12 January"),
        (365, None, "back on 30 November 2027"),
        (3, 12, "back on Thursday, 9 days before your interview"),
        (11, 12, "back on 11 December, the day before your interview"),
        (1, 1, "not asked again before your interview"),
        (0, 0, "not asked again before your interview"),
        (20, 12, "not asked again before your interview"),
        (3, -1, "not asked, since your interview was"),
        (None, 5, "not asked again before your interview"),
    ],
)
def test_when_something_comes_back_is_said_in_words(days, interview_in, words):
    plan = Plan(user=User(name="x", time_zone="Europe/Oslo"))
    if interview_in is not None:
        plan.interview_on = MONDAY + timedelta(days=interview_in)
    due_at = None if days is None else NOW + timedelta(days=days)
    item = Item(reviews=1, natural_due_at=NOW + timedelta(days=20), due_at=due_at)
    assert due_words(item, plan, NOW) == words


def test_what_rested_for_an_interview_that_is_off_comes_back_as_memory_asks():
    plan = Plan(user=User(name="x"))
    item = Item(reviews=1, natural_due_at=NOW + timedelta(days=2), due_at=None)
    assert due_words(item, plan, NOW) == "back on Wednesday"


def test_four_in_the_morning_of_the_person_s_zone_begins_the_day():
    plan = Plan(user=User(name="x", time_zone="America/New_York"))
    due_at = datetime(2026, 12, 1, 8, 59, tzinfo=UTC)  # 03:59 there
    item = Item(reviews=1, natural_due_at=due_at, due_at=due_at)
    assert due_words(item, plan, NOW) == "back today at 03:59"


def test_a_card_that_is_gone_keeps_what_was_kept_to_it(candidate, person):
    CardMark.objects.create(user=person, card_id="long-gone", note="still mine")
    html = candidate.get("/cards/long-gone/mine/").text
    assert "still mine" in html
    assert "This card is not here any more" in html
    assert candidate.get("/cards/never-there/mine/").status_code == 404


@pytest.mark.parametrize("card_id", ["half-done", "secret"])
def test_a_hidden_card_is_not_there_for_a_candidate(candidate, person, card_id):
    at = f"/cards/{card_id}/mine/"
    assert candidate.get(at).status_code == 404
    assert candidate.post(at, {"act": "flag"}).status_code == 404
    assert save(candidate, "x", at=at).status_code == 404
    assert not CardMark.objects.exists()
    # Kept to it while it was there: one's own words, and not its title.
    CardMark.objects.create(user=person, card_id=card_id, note="mine")
    html = candidate.get(at).text
    assert "mine" in html
    assert f"Title of {card_id}" not in html


@pytest.mark.parametrize("role", [Role.OWNER, Role.INTERVIEWER, Role.CANDIDATE])
def test_nobody_else_sees_or_changes_what_a_candidate_keeps(candidate, role):
    save(candidate, "candidate's own words")
    press(candidate, "flag")
    press(candidate, "suspend")
    graded(User.objects.get(name="c"), "", Grade.MISSED)
    other = Client()
    other.force_login(User.objects.create(name="o", role=role))
    html = other.get(AT).text
    assert "own words" not in html
    assert 'aria-pressed="false"' in html
    assert "Suspended" not in html
    assert "Question, L1, L2, L3, L4" in html
    for at in ("/cards/", "/cards/?mine=flagged", "/cards/?mine=suspended,weak"):
        assert "entry__mark" not in other.get(at).text
    assert "0 cards" in other.get("/cards/?mine=weak").text
    save(other, "other's")
    press(other, "resume")
    mark = CardMark.objects.get(user__name="c")
    assert (mark.note, mark.is_suspended) == ("candidate's own words", True)
    assert "0 cards" in other.get("/cards/?mine=flagged").text


def test_of_two_saves_at_once_the_database_lets_one_through(person):
    mark = CardMark.objects.write(person, "two-phases", "one", 0, NOW)
    with pytest.raises(NoteChanged) as refusal:
        CardMark.objects.write(person, "two-phases", "two", 0, NOW)
    assert refusal.value.mark.note == "one"
    assert mark.note_revision == 1
