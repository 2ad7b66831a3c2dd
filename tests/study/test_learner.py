"""120 cards, thirty days, an interview: the plan is kept, whatever the learner does."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta

import pytest

from interview.accounts.models import User
from interview.recall.forecast import forecast
from interview.study.ladders import ladders
from interview.study.models import Act, Item, Plan
from interview.study.models.rebuild import rebuild_all
from interview.study.practice.due import due
from interview.study.progress.schedule import Schedule
from tests.study.bank import make_card, make_library
from tests.study.simulated import Learner

pytestmark = pytest.mark.django_db
FIRST = date(2026, 12, 1)
INTERVIEW = FIRST + timedelta(days=30)
DAYS = [FIRST + timedelta(days=n) for n in range(30)]
MISSED = DAYS[12:17]
"""Nothing is practised on these."""
CAP, NEW = 20, 6


def cards():
    """In four topics; each third card needs the one before it."""
    for number in range(120):
        needs = f"card-{number - 1}" if number % 3 == 2 else ""
        topic = ("phases", "memory", "batches", "kernels")[number % 4]
        yield make_card(f"card-{number}", topic=topic, needs=needs)


def morning(day):
    """Nine o'clock in Kolkata."""
    return datetime(day.year, day.month, day.day, 3, 30, tzinfo=UTC)


def coming_days(plan, library, now):
    """How the progress page of this evening sees the days from tomorrow on."""
    schedule = Schedule.of(plan, ladders(library).part(top=plan.level), now)
    tomorrow = plan.today(now) + timedelta(days=1)
    backlog, by_day = schedule.load(plan, tomorrow)
    last = INTERVIEW - timedelta(days=1)
    by_day = {day: count for day, count in by_day.items() if day <= last}
    days = forecast(by_day, backlog, plan.daily_cap, tomorrow, 40, last)
    return days, by_day, backlog


def state():
    fields = [f.name for f in Item._meta.fields if f.name != "id"]
    return sorted(Item.objects.values_list(*fields), key=str)


@pytest.fixture
def plan(db):
    person = User.objects.create(name="a", password="!", time_zone="Asia/Kolkata")
    settings = {"level": "L1", "daily_cap": CAP, "new_cap": NEW}
    return Plan.objects.settle(person, interview_on=INTERVIEW, **settings)


def test_thirty_days_to_an_interview(plan):
    library = make_library(*cards())
    learner = Learner(plan, library, seed=7)
    asked, evenings = {}, {}
    for day in DAYS:
        now = morning(day)
        if day in MISSED:
            asked[day] = due(plan.user, plan, library, now)
        else:
            asked[day] = learner.sit(now)
        evenings[day] = coming_days(plan, library, now + timedelta(hours=4))
        nothing_is_scheduled_from(INTERVIEW, plan)
    caps_were_respected(plan, asked)
    backlog_was_spread(asked)
    forecast_and_log_agree(asked, evenings)
    prerequisites_came_first(library)
    the_log_gives_the_same_items_again(plan)
    on_the_day = due(plan.user, plan, library, morning(INTERVIEW))
    assert (on_the_day.steps, on_the_day.later) == ([], 0)
    assert Act.objects.grades().count() > 400
    assert Item.objects.filter(reviews__gte=3).count() > 30


def nothing_is_scheduled_from(interview, plan):
    begin = plan.days.begin(interview)
    assert not Item.objects.filter(due_at__gte=begin).exists()


def caps_were_respected(plan, asked):
    done, begun = defaultdict(set), {}
    for act in Act.objects.grades().in_order():
        day = plan.days.day_of(act.at)
        done[day].add(act.card_id)
        begun.setdefault(act.card_id, day)
    assert set(done) == set(DAYS) - set(MISSED)
    assert max(len(ids) for ids in done.values()) <= CAP
    begun_on = list(begun.values())
    assert max(begun_on.count(day) for day in DAYS) <= NEW
    for found in asked.values():
        assert len(found.steps) <= CAP
        assert len({card_id for card_id, _ in found.steps}) == len(found.steps)
        assert found.new <= NEW


def backlog_was_spread(asked):
    back = asked[DAYS[17]]
    assert len(back.steps) == CAP
    assert back.later > CAP
    assert back.new == 0
    later = [asked[day].later for day in DAYS[17:]]
    clear = later.index(0)
    assert 2 <= clear < 10
    assert later[: clear + 1] == sorted(later[: clear + 1], reverse=True)


def forecast_and_log_agree(asked, evenings):
    """What was forecast for a day is what was due on it, when nothing changed."""
    for day, (days, by_day, backlog) in evenings.items():
        assert all(found.planned <= CAP for found in days)
        assert all(found.day < INTERVIEW for found in days)
        if days:
            planned = sum(found.planned for found in days)
            assert planned + days[-1].waiting == backlog + sum(by_day.values())
        coming = day
        while (coming := coming + timedelta(days=1)) in asked:
            found = asked[coming]
            reviews = len(found.steps) - found.new + found.later
            due_by_then = sum(n for at, n in by_day.items() if at <= coming)
            assert reviews == backlog + due_by_then
            if coming == day + timedelta(days=1):
                assert days[0].planned == len(found.steps) - found.new
                assert days[0].waiting == found.later
            if coming not in MISSED:
                break


def prerequisites_came_first(library):
    begun = []
    for act in Act.objects.grades().in_order():
        if act.card_id not in begun:
            begun.append(act.card_id)
    for place, card_id in enumerate(begun):
        assert set(library.cards[card_id].needs) <= set(begun[:place])


def the_log_gives_the_same_items_again(plan):
    before = state()
    rebuild_all(Act.objects.all(), plan.user)
    assert state() == before


def test_the_same_seed_practises_the_same(plan):
    library = make_library(*list(cards())[:9])

    def answers(seed):
        learner = Learner(plan, library, seed)
        return [learner.answer(f"card-{n}", morning(FIRST)) for n in range(50)]

    assert answers(3) == answers(3) != answers(4)
