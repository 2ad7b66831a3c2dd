"""The memory of one item: FSRS' own numbers, and what is added to them."""

from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from fsrs import Card, Rating, Scheduler, State

from interview.recall.days import StudyDays
from interview.recall.forgetting import recall_after
from interview.recall.grade import Grade
from interview.recall.memory import (
    FINAL_DAYS,
    LONGEST_DAYS,
    Terms,
    entered,
    reviewed,
    spread,
)

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
M, P, S = Grade.MISSED, Grade.PARTLY, Grade.SOLID


PLAIN = Terms()


def after(history, terms=PLAIN, item="card"):
    """The memory after (grade, time) pairs."""
    memory = None
    for grade, at in history:
        memory = reviewed(memory, grade, at, terms, item)
    return memory


@pytest.mark.parametrize("retention", [0.7, 0.9, 0.97])
@pytest.mark.parametrize("grades", product(Grade, repeat=3))
def test_stability_and_difficulty_are_those_of_fsrs(grades, retention):
    plain = Scheduler(
        desired_retention=retention,
        learning_steps=[10 * MINUTE],
        relearning_steps=[10 * MINUTE],
        maximum_interval=365,
        enable_fuzzing=False,
    )
    card, memory, at = Card(card_id=1), None, AT
    for number, grade in enumerate(grades):
        card, _ = plain.review_card(card, grade.rating, at)
        memory = reviewed(memory, grade, at, Terms(retention), "card")
        assert memory.stability_days == card.stability
        assert memory.difficulty == card.difficulty
        assert (memory.state, memory.step) == (card.state, card.step)
        assert memory.reviews == number + 1
        if card.state is State.Review:
            off = StudyDays().day_of(memory.natural_due_at) - card.due.date()
            assert abs(off.days) <= max(1, (card.due - at).days * 0.05)
        else:
            assert memory.natural_due_at == card.due
        at += 4 * DAY


def test_first_values_are_those_of_the_default_weights():
    found = {grade: after([(grade, AT)]).stability_days for grade in Grade}
    assert found == {M: 0.212, P: 1.2931, S: 2.3065}
    assert Rating.Easy not in {grade.rating for grade in Grade}


def test_recall_falls_from_one_to_nine_tenths_after_the_stability():
    memory = after([(S, AT), (S, AT + 9 * DAY), (S, AT + 40 * DAY)])
    days = [recall_after(n, memory.stability_days) for n in range(200)]
    assert days[0] == 1
    assert days == sorted(days, reverse=True)
    assert 0 < days[-1] < 1
    stable = round(memory.stability_days)
    assert days[stable] == pytest.approx(0.9, abs=0.01)


def test_what_was_missed_comes_back_in_ten_minutes():
    first = after([(M, AT)])
    again = after([(S, AT), (M, AT + 5 * DAY)])
    assert (first.state, first.due_at) == (State.Learning, AT + 10 * MINUTE)
    assert (again.state, again.due_at) == (State.Relearning, AT + 5 * DAY + 10 * MINUTE)


def test_reviews_are_due_when_a_day_of_study_begins():
    terms = Terms(zone="Asia/Kolkata")
    due = after([(S, AT)], terms).due_at
    assert due == terms.days.begin(terms.days.day_of(due))
    assert due - AT < 3 * DAY


def test_an_evening_and_the_next_morning_are_a_day_apart():
    """Else who practises earlier in the day than the last time would gain nothing."""
    terms = Terms(zone="Europe/Oslo")
    evening = datetime(2026, 11, 30, 20, tzinfo=UTC)
    morning = datetime(2026, 12, 2, 7, tzinfo=UTC)
    early = after([(S, evening), (S, morning)], terms)
    late = after([(S, evening), (S, morning + timedelta(hours=14))], terms)
    assert early.stability_days == late.stability_days
    next_morning = after([(S, evening), (S, morning - DAY)], terms)
    assert next_morning.stability_days > after([(S, evening)]).stability_days * 1.2


def test_after_midnight_is_still_the_same_day():
    night = datetime(2026, 12, 1, 2, tzinfo=UTC)
    twice = after([(S, AT), (S, night)])
    assert twice.stability_days == after([(S, AT), (S, AT)]).stability_days


def test_who_moved_west_did_not_learn_tomorrow():
    first = after([(S, AT)], Terms(zone="Pacific/Kiritimati"))
    second = reviewed(first, S, AT + MINUTE, Terms(zone="Pacific/Pago_Pago"), "card")
    assert second.stability_days >= first.stability_days
    assert second.due_at > AT


@pytest.mark.parametrize("grade", list(Grade))
def test_memory_stays_in_its_bounds_whatever_comes(grade):
    history = [(grade, AT + n * 400 * DAY) for n in range(30)]
    memory = after(history)
    assert 1 <= memory.difficulty <= 10
    assert memory.stability_days > 0
    last = history[-1][1]
    days = (memory.natural_due_at - last) / DAY
    assert 0 < days <= LONGEST_DAYS


def test_due_days_are_spread_by_the_item_and_the_same_each_time():
    """One review of many items at once does not come back as one heap."""
    history = [(S, AT), (S, AT + 3 * DAY), (S, AT + 20 * DAY)]
    names = [f"card-{n}" for n in range(200)]
    dues = [after(history, item=name).due_at for name in names]
    assert dues == [after(history, item=name).due_at for name in names]
    heaps = [dues.count(due) for due in set(dues)]
    assert len(heaps) >= 5
    assert max(heaps) < 80


def test_a_spread_day_is_near_and_at_least_one():
    for days in (*range(1, 60), 200, 364, 365, 366, 9999):
        moved = {spread(days, f"{n}") for n in range(300)}
        most = max(1, days * 0.05 + 0.5) if days > 2 else 0
        assert min(moved) >= 1
        assert max(moved) <= LONGEST_DAYS
        assert all(abs(m - days) <= most for m in moved if days <= LONGEST_DAYS)
        assert len(moved) > 1 or days <= 2 or days > LONGEST_DAYS


# Before an interview.


def before(days_left, history):
    """The memory of many items after a history that ends `days_left` days before."""
    today = StudyDays().day_of(history[-1][1])
    terms = Terms(last_day=today + days_left * DAY)
    return terms, [after(history, terms, f"card-{n}") for n in range(60)]


STRONG = [(S, AT), (S, AT + 3 * DAY), (S, AT + 20 * DAY)]


@pytest.mark.parametrize("days_left", range(-1, 40))
def test_nothing_is_due_after_the_last_day(days_left):
    for history in ([(M, AT)], [(P, AT)], [(S, AT)], STRONG):
        terms, memories = before(days_left, history)
        for memory in memories:
            due = memory.due_at
            assert due is None or terms.days.day_of(due) <= terms.last_day
            assert due is None or due > history[-1][1]


def test_what_would_come_after_the_interview_has_a_last_look_in_the_final_week():
    terms, memories = before(20, STRONG)
    days = {terms.days.day_of(memory.due_at) for memory in memories}
    assert days == {terms.last_day - n * DAY for n in range(FINAL_DAYS)}
    assert all(m.natural_due_at > m.due_at for m in memories)


def test_the_final_look_is_not_repeated():
    for days_left in range(FINAL_DAYS):
        _, memories = before(days_left, STRONG)
        assert {memory.due_at for memory in memories} == {None}


def test_what_is_due_before_the_last_day_anyway_is_not_moved():
    _, memories = before(30, [(S, AT)])
    assert all(memory.due_at == memory.natural_due_at for memory in memories)


def test_at_the_end_of_the_last_day_what_was_missed_does_not_come_back():
    terms = Terms(last_day=date(2026, 11, 30))
    night = datetime(2026, 12, 1, 3, 55, tzinfo=UTC)
    assert after([(M, night)], terms).due_at is None
    assert after([(M, night - 10 * MINUTE)], terms).due_at == night


def test_an_item_enters_on_the_next_day_of_study_or_not_before_the_interview():
    night = datetime(2026, 12, 1, 3, tzinfo=UTC)
    assert entered(night, Terms()) == (datetime(2026, 12, 1, 4, tzinfo=UTC),) * 2
    natural = datetime(2026, 12, 1, 4, tzinfo=UTC)
    assert entered(AT, Terms(last_day=date(2026, 12, 1))) == (natural, natural)
    assert entered(AT, Terms(last_day=date(2026, 11, 30))) == (natural, None)
