"""The measuring time of one person in any 24 hours."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from interview.lab.errors import OverCap
from interview.lab.runs.budget import Budget, Spent

NOW = datetime(2026, 10, 5, 12, 0, tzinfo=UTC)


def ago(hours, seconds):
    return Spent(NOW - timedelta(hours=hours), seconds)


def budget(*spent, cap_s=3600.0, coming_s=0.0):
    return Budget(cap_s, spent, coming_s)


def test_what_fits_to_the_second_is_allowed():
    budget(ago(3, 3000), coming_s=500).check(100, NOW)


def test_a_refusal_names_the_cap_what_is_used_and_when_there_is_room():
    with pytest.raises(OverCap) as refused:
        budget(ago(20, 1800), ago(3, 1500), coming_s=240).check(120, NOW)
    assert refused.value.cap == "LAB_BUDGET_SECONDS"
    assert str(refused.value) == (
        "Each person may measure 60 min in any 24 hours. You have used 55 min, and "
        "4 min are to come; this run would take about 2 min. "
        "There is room for it from 16:00 on 5 October."
    )


def test_the_hour_is_that_of_the_person():
    there = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    with pytest.raises(OverCap, match="from 01:00 on 6 October"):
        budget(ago(20, 3600)).check(1, there)


def test_room_comes_when_enough_runs_are_a_day_old():
    spent = (ago(20, 600), ago(10, 600), ago(1, 2400))
    assert budget(*spent).room_at(500, NOW) == NOW + timedelta(hours=4)
    assert budget(*spent).room_at(601, NOW) == NOW + timedelta(hours=14)
    assert budget(*spent).room_at(1201, NOW) == NOW + timedelta(hours=23)


def test_runs_to_come_leave_no_room_before_they_end():
    full = budget(ago(20, 100), coming_s=3600)
    assert full.room_at(60, NOW) is None
    with pytest.raises(OverCap, match="Stop a run that is to come"):
        full.check(60, NOW)


def test_a_run_above_the_whole_budget_never_fits():
    with pytest.raises(OverCap, match=r"used nothing; .* 2 h\. Take fewer levels"):
        budget().check(7200, NOW)
