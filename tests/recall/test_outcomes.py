"""Reviews by week, and grades against confidence."""

from datetime import UTC, date, datetime

from interview.recall.days import StudyDays
from interview.recall.outcomes import (
    Tally,
    calibration,
    is_ordered,
    retention,
    weeks_until,
)

BEGINS = [date(2026, 11, 16), date(2026, 11, 23)]


def tally(week=0, confidence="sure", grade="solid", reviews=1, tested=None, **sums):
    tested = reviews if tested is None else tested
    sums = {"wanted": 0.9 * tested, "predicted": 0.8 * tested} | sums
    return Tally(week, confidence, grade, reviews, tested, **sums)


def test_weeks_begin_on_mondays_and_the_last_one_holds_today():
    sunday = datetime(2026, 11, 29, 23, tzinfo=UTC)
    assert weeks_until(sunday, StudyDays("UTC"), 2) == BEGINS


def test_a_monday_before_four_still_belongs_to_the_week_before():
    early = datetime(2026, 11, 30, 3, 59, tzinfo=UTC)
    assert weeks_until(early, StudyDays("UTC"), 1) == BEGINS[1:]
    assert weeks_until(early, StudyDays("Asia/Kolkata"), 1) == [date(2026, 11, 30)]


def test_what_was_known_in_part_was_recalled():
    tallies = [
        tally(grade="solid", reviews=5),
        tally(grade="partly", reviews=3),
        tally(grade="missed", reviews=2),
    ]
    first, second = retention(tallies, BEGINS)
    assert (first.tested, first.recalled) == (10, 8)
    assert first.recalled_percent == 80
    assert round(first.wanted_percent, 9) == 90
    assert round(first.predicted_percent, 9) == 80
    assert (second.begin, second.tested, second.recalled_percent) == (
        BEGINS[1],
        0,
        None,
    )


def test_reviews_that_test_nothing_are_not_counted_as_recalled():
    [week] = retention([tally(reviews=7, tested=0)], BEGINS[:1])
    assert (week.tested, week.wanted_percent, week.predicted_percent) == (0, None, None)


def test_weeks_add_up():
    first, second = retention([tally(0), tally(1, grade="missed")], BEGINS)
    both = first + second
    assert (both.begin, both.tested, both.recalled) == (BEGINS[0], 2, 1)
    assert both.recalled_percent == 50


def test_grades_are_counted_by_confidence_over_all_weeks():
    tallies = [
        tally(0, "sure", "missed", 2),
        tally(1, "sure", "missed", 1),
        tally(1, "sure", "solid", 4),
        tally(1, "guess", "partly", 5),
        tally(1, "", "solid", 99),
    ]
    sure, unsure, guess = calibration(tallies)
    assert (sure.missed, sure.partly, sure.solid, sure.reviews) == (3, 0, 4, 7)
    assert (unsure.reviews, unsure.solid_share) == (0, None)
    assert (guess.confidence, guess.partly) == ("guess", 5)


def test_confidence_is_ordered_when_more_of_it_is_more_often_solid():
    good = calibration(
        [tally(grade="solid"), tally(confidence="guess", grade="missed")]
    )
    bad = calibration([tally(grade="missed"), tally(confidence="guess")])
    assert is_ordered(good) is True
    assert is_ordered(bad) is False
    assert is_ordered(calibration([tally()])) is None
