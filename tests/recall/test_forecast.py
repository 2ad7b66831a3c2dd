"""The coming days: the cap, the backlog over the days after, and no day too many."""

from datetime import date, timedelta

from interview.recall.forecast import forecast

FIRST = date(2026, 11, 30)


def after(days):
    return FIRST + timedelta(days=days)


def ahead(due, backlog=0, cap=10, days=5, last_day=None):
    by_day = {after(n): count for n, count in enumerate(due)}
    found = forecast(by_day, backlog, cap, FIRST, days, last_day)
    assert [day.day for day in found] == [after(n) for n in range(len(found))]
    return [(day.planned, day.waiting) for day in found]


def test_days_without_anything_due_are_there():
    assert ahead([], days=3) == [(0, 0)] * 3
    assert ahead([1], days=0) == []


def test_no_day_asks_more_than_the_cap():
    assert ahead([12, 0, 9, 15, 0]) == [(10, 2), (2, 0), (9, 0), (10, 5), (5, 0)]


def test_a_backlog_spreads_over_the_following_days():
    assert ahead([4, 4, 4, 4, 4], 25) == [(10, 19), (10, 13), (10, 7), (10, 1), (5, 0)]


def test_nothing_is_asked_after_the_last_day_and_what_waits_is_said():
    assert ahead([5] * 5, 30, last_day=after(1)) == [(10, 25), (10, 20)]
    assert ahead([5] * 5, 30, last_day=after(-1)) == []


def test_the_first_day_asks_what_is_left_of_it():
    by_day = {FIRST: 12, after(1): 9}
    for room, planned in ((3, [3, 10, 8]), (0, [0, 10, 10]), (-2, [0, 10, 10])):
        days = forecast(by_day, 0, 10, FIRST, 3, None, room)
        assert [day.planned for day in days] == planned


def test_what_is_due_is_asked_once():
    due = [3, 31, 0, 0, 7, 0, 0, 0]
    days = ahead(due, 12, days=8)
    assert sum(planned for planned, _ in days) + days[-1][1] == sum(due) + 12


def test_days_before_the_first_are_not_read():
    found = forecast({after(-1): 9, after(0): 1}, 2, 10, FIRST, 1, None)
    assert [(day.planned, day.waiting) for day in found] == [(3, 0)]
