"""Days of study: four in the morning, in every zone, also when clocks change."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from interview.recall.days import StudyDays

MINUTE = timedelta(minutes=1)
# Zone, day of study, its begin in UTC, its hours.
DAYS = [
    ("UTC", date(2026, 11, 30), "2026-11-30T04:00", 24),
    ("Asia/Kolkata", date(2026, 11, 30), "2026-11-29T22:30", 24),
    ("Asia/Kathmandu", date(2026, 11, 30), "2026-11-29T22:15", 24),
    ("Pacific/Kiritimati", date(2026, 11, 30), "2026-11-29T14:00", 24),
    ("Pacific/Pago_Pago", date(2026, 11, 30), "2026-11-30T15:00", 24),
    # Clocks change after midnight, so the day before is the short or the long one.
    ("Europe/Oslo", date(2026, 3, 28), "2026-03-28T03:00", 23),
    ("Europe/Oslo", date(2026, 3, 29), "2026-03-29T02:00", 24),
    ("Europe/Oslo", date(2026, 10, 24), "2026-10-24T02:00", 25),
    ("Europe/Oslo", date(2026, 10, 25), "2026-10-25T03:00", 24),
    ("America/New_York", date(2026, 3, 7), "2026-03-07T09:00", 23),
    ("America/New_York", date(2026, 10, 31), "2026-10-31T08:00", 25),
    ("Australia/Lord_Howe", date(2026, 10, 3), "2026-10-02T17:30", 23.5),
    # Three o'clock comes twice there, and four o'clock once.
    ("Europe/Helsinki", date(2026, 10, 24), "2026-10-24T01:00", 25),
    # Four o'clock was skipped that day, and came twice on the other.
    ("Asia/Baku", date(2015, 3, 29), "2015-03-29T00:00", 23),
    ("Asia/Baku", date(2015, 10, 25), "2015-10-24T23:00", 25),
]


@pytest.mark.parametrize(("zone", "day", "begin", "hours"), DAYS)
def test_a_day_begins_at_four_and_ends_where_the_next_begins(zone, day, begin, hours):
    days = StudyDays(zone)
    start = datetime.fromisoformat(begin).replace(tzinfo=UTC)
    assert days.begin(day) == start
    assert days.begin(day).tzinfo is UTC
    next_day = day + timedelta(days=1)
    assert days.end(day) == days.begin(next_day)
    assert days.end(day) - start == timedelta(hours=hours)


@pytest.mark.parametrize(("zone", "day"), [row[:2] for row in DAYS])
def test_each_instant_lies_in_the_day_whose_begin_is_before_it(zone, day):
    days = StudyDays(zone)
    begin, end = days.begin(day), days.end(day)
    assert days.day_of(begin - MINUTE) == day - timedelta(days=1)
    at = begin
    while at < end:
        assert days.day_of(at) == day
        at += 10 * MINUTE
    assert days.day_of(end - MINUTE) == day
    assert days.day_of(end) == day + timedelta(days=1)


def test_a_minute_before_four_is_yesterday():
    oslo = ZoneInfo("Europe/Oslo")
    days = StudyDays("Europe/Oslo")
    night = datetime(2026, 11, 30, 3, 59, 59, 999_999, tzinfo=oslo)
    assert days.day_of(night) == date(2026, 11, 29)
    assert days.day_of(datetime(2026, 11, 30, 4, tzinfo=oslo)) == date(2026, 11, 30)


def test_an_instant_has_one_day_whatever_zone_it_is_written_in():
    at = datetime(2026, 11, 30, 1, tzinfo=UTC)
    for zone in ("Asia/Tokyo", "America/Lima"):
        assert StudyDays("Asia/Tokyo").day_of(at.astimezone(ZoneInfo(zone))) == date(
            2026, 11, 30
        )


@pytest.mark.parametrize("at", ["04:00:00", "12:00:00", "23:59:59", "03:59:59"])
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York"])
def test_to_the_last_second_of_a_day_full_days_are_days_of_study(zone, at):
    days, day = StudyDays(zone), date(2026, 12, 12)
    look = datetime.fromisoformat(f"2026-12-07T{at}").replace(tzinfo=ZoneInfo(zone))
    elapsed = days.last(day) - look.astimezone(UTC)
    assert elapsed // timedelta(days=1) == (day - days.day_of(look)).days
