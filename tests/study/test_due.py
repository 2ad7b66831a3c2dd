"""What is asked today: the schedule, the caps, the goal, and what is left out."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

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
from interview.study.practice.due import due
from tests.study.bank import make_card, make_library

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
DAY = timedelta(days=1)
ONE = make_card("one", topic="phases")
TWO = make_card("two", topic="memory", role="product", needs="one")
THREE = make_card("three", topic="phases")
DRAFT = make_card("draft", status="draft")
LIBRARY = make_library(TWO, THREE, ONE, DRAFT)


@pytest.fixture
def plan(db):
    return Plan.objects.create(user=User.objects.create(name="ada", password="!"))


class Practice:
    """Answers cards; each answer in a step of its own."""

    def __init__(self, plan):
        self.plan = plan
        self.session = Session.objects.create(
            user=plan.user, kind="practice", started_at=NOW
        )
        self.position = 0

    def answer(self, card, grade, at=NOW, rung=""):
        self.position += 1
        step = SessionStep.objects.create(
            session=self.session, position=self.position, card_id=card.id
        )
        return Act.objects.grade(self.plan, step, Answer(card, rung, grade), at)[0]


@pytest.fixture
def practice(plan):
    return Practice(plan)


def ask(plan, now=NOW, library=LIBRARY):
    return due(plan.user, plan, library, now)


def test_the_first_day_asks_new_cards_what_others_need_first(plan):
    found = ask(plan)
    assert found.steps == [("three", ""), ("one", ""), ("two", "")]
    assert (found.new, found.later, found.again_at, found.done_today) == (3, 0, None, 0)


def test_new_cards_are_those_of_the_role(plan):
    plan.role = "product"
    assert ask(plan).steps == [("two", "")]


def test_new_cards_of_the_level_come_first(plan):
    deep = make_card("deep", levels="L4")
    plan.level, plan.new_cap = "L4", 1
    assert ask(plan, library=make_library(ONE, deep)).steps == [("deep", "")]


def test_new_cards_stop_at_their_cap_also_over_several_sessions(plan, practice):
    plan.new_cap = 2
    assert ask(plan).new == 2
    practice.answer(ONE, Grade.SOLID)
    assert ask(plan).new == 1
    practice.answer(THREE, Grade.SOLID)
    assert (ask(plan).new, ask(plan).done_today) == (0, 2)
    assert ask(plan, NOW + DAY).new == 1


def test_what_was_missed_comes_back_in_ten_minutes(plan, practice):
    plan.new_cap = 0
    practice.answer(ONE, Grade.MISSED)
    back = NOW + timedelta(minutes=10)
    found = ask(plan, NOW + timedelta(minutes=9))
    assert (found.steps, found.again_at) == ([], back)
    assert ask(plan, back).steps == [("one", "")]


def test_what_was_missed_comes_back_although_the_cap_is_reached(plan, practice):
    plan.daily_cap = 1
    practice.answer(ONE, Grade.MISSED)
    later = NOW + timedelta(minutes=10)
    assert ask(plan, later).steps == [("one", "")]


def test_the_cap_counts_what_was_done_today(plan, practice):
    plan.new_cap = 0
    for card in (ONE, TWO, THREE):
        practice.answer(card, Grade.SOLID, NOW - 30 * DAY)
    plan.daily_cap = 2
    assert (len(ask(plan).steps), ask(plan).later) == (2, 1)
    practice.answer(ONE, Grade.SOLID)
    practice.answer(ONE, Grade.PARTLY, rung="first")
    assert (len(ask(plan).steps), ask(plan).later) == (1, 1)


def test_a_card_is_one_step_at_its_question_or_its_lowest_due_rung(plan, practice):
    plan.new_cap = 0
    practice.answer(ONE, Grade.SOLID)
    practice.answer(ONE, Grade.SOLID, rung="first")
    assert Item.objects.count() == 3
    entered = NOW + DAY
    assert ask(plan, entered).steps == [("one", "second")]
    assert ask(plan, NOW + 40 * DAY).steps == [("one", "")]


def test_rungs_above_the_goal_are_not_asked(plan, practice):
    practice.answer(ONE, Grade.SOLID)
    practice.answer(ONE, Grade.SOLID, rung="first")
    plan.new_cap, plan.level = 0, "L1"
    assert ask(plan, NOW + DAY).steps == []
    plan.level = "L2"
    assert ask(plan, NOW + DAY).steps == [("one", "second")]


def test_while_one_item_waits_its_card_waits(plan, practice):
    plan.new_cap = 0
    practice.answer(ONE, Grade.SOLID)
    tomorrow = NOW + DAY
    practice.answer(ONE, Grade.MISSED, tomorrow)
    found = ask(plan, tomorrow + timedelta(minutes=1))
    assert (found.steps, found.again_at) == ([], tomorrow + timedelta(minutes=10))


def test_suspended_cards_and_cards_that_are_gone_are_not_asked(plan, practice):
    practice.answer(ONE, Grade.SOLID, NOW - 30 * DAY)
    practice.answer(THREE, Grade.SOLID, NOW - 30 * DAY)
    Act.objects.mark(plan.user, "one", ActKind.SUSPEND, NOW)
    Act.objects.mark(plan.user, "two", ActKind.SUSPEND, NOW)
    assert ask(plan).steps == [("three", "")]
    assert ask(plan, library=make_library(ONE, TWO)).steps == []
    Act.objects.mark(plan.user, "one", ActKind.RESUME, NOW)
    assert len(ask(plan).steps) == 2


def test_a_card_that_became_a_draft_is_not_asked_any_more(plan, practice):
    plan.new_cap = 0
    practice.answer(ONE, Grade.SOLID, NOW - 30 * DAY)
    assert ask(plan, library=make_library(make_card("one", status="draft"))).steps == []


def test_nothing_is_asked_after_the_interview_until_there_is_a_new_date(plan, practice):
    plan.interview_on = NOW.date() + 5 * DAY
    practice.answer(ONE, Grade.SOLID, NOW)
    after = NOW + 60 * DAY
    assert ask(plan, after).steps == []
    plan.interview_on, plan.new_cap = after.date() + 9 * DAY, 0
    assert ask(plan, after).steps == [("one", "")]
    plan.interview_on = None
    assert ask(plan, after).steps == [("one", "")]


def test_what_rested_until_a_postponed_interview_comes_back(plan, practice):
    plan.interview_on, plan.new_cap = NOW.date() + 2 * DAY, 0
    act = practice.answer(ONE, Grade.SOLID, NOW)
    assert Item.objects.get(rung_id=act.rung_id).due_at is None
    plan.interview_on = NOW.date() + 60 * DAY
    assert ask(plan, NOW + 10 * DAY).steps == [("one", "")]


def test_on_the_day_of_the_interview_nothing_is_asked(plan, practice):
    practice.answer(ONE, Grade.SOLID, NOW - 9 * DAY)
    plan.interview_on = NOW.date() + DAY
    assert len(ask(plan).steps) == 3
    plan.interview_on = NOW.date()
    assert ask(plan).steps == []


def test_other_people_s_practice_changes_nothing(plan, practice):
    practice.answer(ONE, Grade.MISSED, NOW - 3 * DAY)
    other = Plan(user=User.objects.create(name="bo", password="!"))
    assert (ask(other).new, ask(other).done_today) == (3, 0)


def test_an_undone_grade_is_not_counted(plan, practice):
    act = practice.answer(ONE, Grade.SOLID)
    Act.objects.undo(act, NOW)
    assert (ask(plan).done_today, ask(plan).new) == (0, 3)


def test_queries_do_not_grow_with_the_log(plan, practice):
    counts = []
    for day in range(3):
        for card in (ONE, TWO, THREE):
            practice.answer(card, Grade.SOLID, NOW - (9 - day) * DAY)
        with CaptureQueriesContext(connection) as queries:
            ask(plan)
        counts.append(len(queries))
    assert counts[0] == counts[-1] <= 4
