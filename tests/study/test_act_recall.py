"""What the log keeps of each grade: what FSRS predicted just before it."""

from datetime import UTC, datetime, timedelta

import pytest

from interview.accounts.models import User
from interview.recall.grade import Grade
from interview.recall.memory import scheduler
from interview.study.models import Act, Answer, Item, Plan, Session, SessionStep
from interview.web.content import library

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
def give(db):
    plan = Plan(user=User.objects.create(name="ada", password="!"))
    card = library().cards["two-phases-of-a-request"]
    session = Session.objects.create(user=plan.user, kind="practice", started_at=NOW)

    def graded(position, grade, days):
        step = SessionStep.objects.create(
            session=session, position=position, card_id=card.id
        )
        at = NOW + timedelta(days=days)
        return Act.objects.grade(plan, step, Answer(card, "", grade), at)[0]

    return graded


def test_the_log_keeps_what_was_predicted_before_a_grade(give):
    assert give(1, Grade.SOLID, 0).recall is None
    card = Item.objects.get(rung_id="").memory.card()
    later = NOW + timedelta(days=9)
    predicted = scheduler(0.9).get_card_retrievability(card, later)
    assert give(2, Grade.MISSED, 9).recall == pytest.approx(predicted)
    assert predicted < 1


def test_a_look_on_the_next_morning_has_a_prediction(give):
    give(1, Grade.SOLID, 0.5)
    assert 0.9 < give(2, Grade.SOLID, 0.9).recall < 1


def test_a_second_look_on_one_day_has_no_prediction(give):
    give(1, Grade.SOLID, 0)
    assert give(2, Grade.SOLID, 0.4).recall is None


def test_what_is_learned_again_has_no_prediction(give):
    give(1, Grade.SOLID, 0)
    give(2, Grade.MISSED, 9)
    assert give(3, Grade.SOLID, 10.5).recall is None
