"""The log of practice: graded once, taken back, made again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from interview.accounts.models import User
from interview.cards.cardfile import read_card
from interview.cards.problem import Notes
from interview.recall.grade import Grade
from interview.study.models import (
    Act,
    ActKind,
    Answer,
    CardMark,
    Item,
    Plan,
    Session,
    SessionStep,
)
from interview.study.models.rebuild import rebuild_all
from interview.web.content import library
from interview.web.models import CardVersion

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
def plan(db):
    return Plan(user=User.objects.create(name="ada", password="!"))


@pytest.fixture
def card():
    return library().cards["two-phases-of-a-request"]


@pytest.fixture
def step(plan, card):
    session = Session.objects.create(user=plan.user, kind="practice", started_at=NOW)
    return SessionStep.objects.create(session=session, position=1, card_id=card.id)


def state():
    fields = [f.name for f in Item._meta.fields if f.name != "id"]
    return sorted(Item.objects.values_list(*fields))


def test_a_grade_schedules_its_item_and_keeps_the_card(plan, step, card):
    act, is_new = Act.objects.grade(plan, step, Answer(card, "", Grade.PARTLY), NOW)
    item = Item.objects.get()
    assert is_new
    assert (item.card_id, item.rung_id, item.last_grade) == (card.id, "", "partly")
    assert NOW < item.due_at < NOW + timedelta(hours=1)
    assert CardVersion.objects.get(hash=act.card_version).source == card.source


def test_solid_enters_the_next_rung_for_tomorrow(plan, step, card):
    Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    rung = Item.objects.get(rung_id=card.follow_ups[0].id)
    assert (rung.reviews, rung.due_at) == (0, datetime(2026, 12, 1, 4, tzinfo=UTC))


@pytest.mark.parametrize("grade", [Grade.MISSED, Grade.PARTLY])
def test_less_than_solid_enters_no_rung(plan, step, card, grade):
    Act.objects.grade(plan, step, Answer(card, "", grade), NOW)
    assert Item.objects.count() == 1


def test_the_same_turn_is_graded_once(plan, step, card):
    answer = Answer(card, "", Grade.SOLID)
    first, _ = Act.objects.grade(plan, step, answer, NOW)
    before = state()
    for grade in Grade:
        again = replace(answer, grade=grade)
        act, is_new = Act.objects.grade(plan, step, again, NOW + timedelta(minutes=1))
        assert (act, is_new) == (first, False)
    assert state() == before


def test_an_undone_grade_may_be_given_again_at_the_next_turn(plan, step, card):
    first, _ = Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    assert Act.objects.undo(first, NOW)
    assert state() == []
    late, is_new = Act.objects.grade(plan, step, Answer(card, "", Grade.MISSED), NOW)
    assert (late, is_new) == (first, False)
    assert state() == []
    answer = Answer(card, "", Grade.MISSED, turn=1)
    assert Act.objects.grade(plan, step, answer, NOW)[1]
    assert Item.objects.get().last_grade == "missed"


def test_an_undo_happens_once_and_is_not_undone(plan, step, card):
    act, _ = Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    assert Act.objects.undo(act, NOW)
    assert not Act.objects.undo(act, NOW)
    assert not Act.objects.undo(Act.objects.get(kind=ActKind.UNDO), NOW)
    assert Act.objects.count() == 2


def test_an_undone_grade_leaves_what_was_before_it(plan, step, card):
    Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    before = state()
    later = NOW + timedelta(days=3)
    other = SessionStep.objects.create(
        session=step.session, position=2, card_id=card.id
    )
    act, _ = Act.objects.grade(plan, other, Answer(card, "", Grade.MISSED), later)
    assert state() != before
    Act.objects.undo(act, later)
    assert state() == before


def test_the_log_gives_the_same_items_again(plan, step, card):
    plan.interview_on = NOW.date() + timedelta(days=20)
    rungs = ["", *(rung.id for rung in card.follow_ups)]
    for day, rung_id in enumerate(rungs):
        at = NOW + timedelta(days=day)
        for turn, grade in enumerate(Grade):
            act, _ = Act.objects.grade(
                plan, step, Answer(card, rung_id, grade, turn), at
            )
            if turn < 2:
                Act.objects.undo(act, at)
    Act.objects.change(plan, step, card, "", ActKind.RESET, NOW + timedelta(days=9))
    Act.objects.change(plan, step, card, "", ActKind.KEEP, NOW + timedelta(days=10))
    before = state()
    rebuild_all(Act.objects.all(), plan.user)
    assert state() == before
    assert len(before) == len(rungs)


def test_a_higher_turn_does_not_double_a_grade_that_stands(plan, step, card):
    first, _ = Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    answer = Answer(card, "", Grade.MISSED, turn=3)
    assert Act.objects.grade(plan, step, answer, NOW) == (first, False)
    Act.objects.undo(first, NOW)
    second, is_new = Act.objects.grade(plan, step, answer, NOW)
    assert (is_new, second.turn) == (True, 1)


def test_what_two_devices_graded_counts_in_the_order_of_their_times(plan, step, card):
    other = SessionStep.objects.create(
        session=step.session, position=2, card_id=card.id
    )
    later = NOW + timedelta(seconds=1)
    Act.objects.grade(plan, other, Answer(card, "", Grade.MISSED), later)
    Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    before = state()
    assert Item.objects.get(rung_id="").last_grade == "missed"
    rebuild_all(Act.objects.all(), plan.user)
    assert state() == before


def changed(card, old, new):
    text = card.source.replace(old, new, 1)
    assert text != card.source
    return read_card(text, Notes("card.md"))


def test_keeping_a_rung_that_was_not_asked_yet_moves_no_date(plan, step, card):
    first = card.follow_ups[0]
    Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    due_at = Item.objects.get(rung_id=first.id).due_at
    new = changed(card, first.title, f"{first.title} And why?")
    later = NOW + timedelta(hours=2)
    act = Act.objects.change(plan, step, new, first.id, ActKind.KEEP, later)
    item = Item.objects.get(rung_id=first.id)
    assert (item.due_at, item.item_hash) == (due_at, new.follow_ups[0].hash)
    Act.objects.undo(act, later)
    item.refresh_from_db()
    assert (item.due_at, item.item_hash) == (due_at, first.hash)


def test_a_kept_text_is_nothing_once_its_grade_was_taken_back(plan, step, card):
    act, _ = Act.objects.grade(plan, step, Answer(card, "", Grade.PARTLY), NOW)
    Act.objects.change(plan, step, card, "", ActKind.KEEP, NOW)
    Act.objects.undo(act, NOW)
    assert state() == []
    Act.objects.change(plan, step, card, "", ActKind.RESET, NOW)
    assert state() == []


def test_a_rung_that_was_put_in_later_enters_with_the_next_solid(plan, step, card):
    Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    rung = "### L1 Is it new? {#new-rung}\n\nIt is.\n\n"
    new = changed(card, "## Follow-ups\n\n", f"## Follow-ups\n\n{rung}")
    other = SessionStep.objects.create(
        session=step.session, position=2, card_id=card.id
    )
    later = NOW + timedelta(days=3)
    act, _ = Act.objects.grade(plan, other, Answer(new, "", Grade.SOLID), later)
    before = state()
    rungs = {"", card.follow_ups[0].id, "new-rung"}
    assert {item.rung_id for item in Item.objects.all()} == rungs
    rebuild_all(Act.objects.all(), plan.user)
    assert state() == before
    Act.objects.undo(act, later)
    assert {item.rung_id for item in Item.objects.all()} == rungs - {"new-rung"}


def test_an_undo_gives_a_rung_the_text_with_which_it_entered(plan, step, card):
    first = card.follow_ups[0]
    Act.objects.grade(plan, step, Answer(card, "", Grade.SOLID), NOW)
    new = changed(card, first.title, f"{first.title} And why?")
    before = state()
    later = NOW + timedelta(days=1)
    act, _ = Act.objects.grade(plan, step, Answer(new, first.id, Grade.MISSED), later)
    Act.objects.undo(act, later)
    assert state() == before


def test_marks_are_what_the_acts_that_stand_say(plan, card):
    def mark(kind):
        return Act.objects.mark(plan.user, card.id, kind, NOW)

    def is_flagged():
        return CardMark.objects.get(card_id=card.id).is_flagged

    first, second = mark(ActKind.FLAG), mark(ActKind.UNFLAG)
    third = mark(ActKind.FLAG)
    Act.objects.undo(first, NOW)
    assert is_flagged()
    Act.objects.undo(third, NOW)
    assert not is_flagged()
    Act.objects.undo(second, NOW)
    assert not is_flagged()


def test_a_mark_leaves_other_marks_alone(plan, card):
    flag = Act.objects.mark(plan.user, card.id, ActKind.FLAG, NOW)
    Act.objects.mark(plan.user, card.id, ActKind.SUSPEND, NOW)
    Act.objects.undo(flag, NOW)
    mark = CardMark.objects.get()
    assert (mark.is_flagged, mark.is_suspended) == (False, True)
