"""The same request twice, at once, and out of order: no grade is ever doubled."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.db import connections

from interview.accounts.models import User
from interview.recall.grade import Grade
from interview.study.models import (
    Act,
    ActKind,
    Answer,
    Item,
    Plan,
    Session,
    SessionStep,
)
from interview.study.models.rebuild import rebuild_all
from tests.study.bank import make_card

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
CARD = make_card("one")


def at_once(*acts):
    """What each act returned or raised, all begun together, each on a connection of
    its own."""
    start = Barrier(len(acts))

    def run(act):
        try:
            start.wait(10)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


class Person:
    """One who practises in two sessions, on two devices."""

    def __init__(self, name):
        self.plan = Plan(user=User.objects.create(name=name, password="!"))
        self.steps = [self.step(), self.step()]

    def step(self):
        session = Session.objects.create(
            user=self.plan.user, kind="practice", started_at=NOW
        )
        return SessionStep.objects.create(session=session, position=1, card_id="one")

    def grade(self, grade=Grade.SOLID, turn=0, step=0, seconds=0):
        """A request of its own: it read the step anew."""
        found = SessionStep.objects.get(pk=self.steps[step].pk)
        plan = Plan.objects.of(User.objects.get(pk=self.plan.user.pk))
        at = NOW + timedelta(seconds=seconds)
        return Act.objects.grade(plan, found, Answer(CARD, "", grade, turn), at)

    def undo(self, act):
        return Act.objects.undo(Act.objects.get(pk=act.pk), NOW)

    def standing(self):
        return Act.objects.of(self.plan.user).grades().standing()

    def state(self):
        fields = [f.name for f in Item._meta.fields if f.name != "id"]
        return sorted(Item.objects.of(self.plan.user).values_list(*fields), key=str)

    def check(self):
        """The items are those of the log, and no step has two grades that stand."""
        before = self.state()
        rebuild_all(Act.objects.all(), self.plan.user)
        assert self.state() == before
        steps = list(self.standing().values_list("step", flat=True))
        assert len(steps) == len(set(steps))


@pytest.fixture
def ada(db):
    return Person("ada")


def test_a_grade_sent_six_times_at_once_is_logged_once(ada):
    outcomes = at_once(*[ada.grade] * 6)
    assert len({act.pk for act, _ in outcomes}) == 1
    assert sorted(is_new for _, is_new in outcomes) == [False] * 5 + [True]
    assert Act.objects.count() == 1
    assert Item.objects.get(rung_id="").reviews == 1
    ada.check()


def test_of_different_grades_at_once_the_first_stands(ada):
    outcomes = at_once(*[lambda g=g: ada.grade(g) for g in [*Grade, *Grade]])
    [act] = {act for act, _ in outcomes}
    assert Act.objects.get() == act
    assert Item.objects.get(rung_id="").last_grade == act.grade
    ada.check()


def test_an_undo_sent_four_times_at_once_happens_once(ada):
    act, _ = ada.grade()
    outcomes = at_once(*[lambda: ada.undo(act)] * 4)
    assert sorted(outcomes) == [False] * 3 + [True]
    assert Act.objects.filter(kind=ActKind.UNDO).count() == 1
    assert ada.state() == []


def test_a_late_copy_of_a_grade_does_not_bring_it_back(ada):
    act, _ = ada.grade()
    at_once(lambda: ada.undo(act), ada.grade, ada.grade)
    assert ada.grade() == (act, False)
    assert not ada.standing().exists()
    assert ada.state() == []


def test_an_undo_and_the_next_grade_may_come_in_any_order(ada):
    act, _ = ada.grade(Grade.MISSED)
    following = [lambda: ada.grade(Grade.SOLID, turn=1)] * 3
    undone, *outcomes = at_once(lambda: ada.undo(act), *following)
    assert undone
    new = [found for found, is_new in outcomes if is_new]
    assert len(new) <= 1
    assert list(ada.standing()) == new
    ada.check()


def test_after_an_undo_the_next_turn_is_graded_once(ada):
    act, _ = ada.grade(Grade.MISSED)
    ada.undo(act)
    outcomes = at_once(*[lambda: ada.grade(Grade.SOLID, turn=1)] * 4)
    assert sorted(is_new for _, is_new in outcomes) == [False] * 3 + [True]
    second = ada.standing().get()
    assert ada.grade(Grade.MISSED) == (second, False)
    assert ada.undo(second)
    assert ada.grade(Grade.MISSED) == (act, False)
    third, is_new = ada.grade(Grade.PARTLY, turn=2)
    assert (is_new, third.turn) == (True, 2)
    ada.check()


def test_two_devices_that_grade_two_steps_at_once_both_count(ada):
    outcomes = at_once(
        lambda: ada.grade(Grade.SOLID, step=0, seconds=1),
        lambda: ada.grade(Grade.MISSED, step=1, seconds=0),
    )
    assert [is_new for _, is_new in outcomes] == [True, True]
    item = Item.objects.get(rung_id="")
    assert (item.reviews, item.last_grade) == (2, "solid")
    ada.check()


def test_people_do_not_wait_for_or_change_each_other(ada):
    bo = Person("bo")
    at_once(ada.grade, lambda: bo.grade(Grade.MISSED), ada.grade, bo.grade)
    assert Act.objects.grades().count() == 2
    for person in (ada, bo):
        person.check()


def test_a_mark_taken_back_twice_at_once_is_taken_back_once(ada):
    act = Act.objects.mark(ada.plan.user, "one", ActKind.FLAG, NOW)
    outcomes = at_once(*[lambda: ada.undo(act)] * 3)
    assert sorted(outcomes) == [False, False, True]
