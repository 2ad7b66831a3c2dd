"""What is missing for an interview, and how many days it takes at the least."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from interview.recall.coverage import Part, Rung, Rungs
from interview.recall.days import posix_ms
from interview.recall.grade import Grade
from interview.recall.readiness import Goal, days_needed, readiness

NOON = datetime(2026, 12, 12, 12, tzinfo=UTC)
GOAL = Goal(at=NOON, retention=0.9, days_left=12, daily_cap=10, new_cap=2)


def rung(card_id, rung_id="", level=""):
    return Rung(card_id, rung_id, "phases", level)


def known(grade, stability_days=100.0, days=12):
    """Looked at so many days before the interview."""
    return (grade, stability_days, int(posix_ms(NOON - timedelta(days=days))))


def ready_for(goal, rungs, knowledge, planned=()):
    """Needing all of these rungs; `knowledge` is by card and rung."""
    everything = Rungs(rungs)
    needed = Part(everything, range(len(rungs)))
    by_place = {
        everything.places["/".join(key)]: known for key, known in knowledge.items()
    }
    return readiness(needed, by_place, goal, planned)


def test_each_rung_is_lasting_fading_weak_or_new():
    rungs = [rung(name) for name in "abcde"]
    knowledge = {
        ("a", ""): known(Grade.SOLID),
        ("b", ""): known(Grade.SOLID, stability_days=11.0),
        ("c", ""): known(Grade.PARTLY),
        ("d", ""): known(Grade.MISSED),
    }
    ready = ready_for(GOAL, rungs, knowledge)
    assert ready.lasting == 1
    assert ready.fading == [1]
    assert ready.weak == [3, 2]
    assert ready.new == [4]
    assert (ready.needed, ready.missing) == (5, 4)


def test_what_is_recalled_with_just_the_wanted_retention_lasts():
    knowledge = {("a", ""): known(Grade.SOLID, stability_days=12.0, days=12)}
    assert ready_for(GOAL, [rung("a")], knowledge).lasting == 1
    stricter = replace(GOAL, retention=0.91)
    assert ready_for(stricter, [rung("a")], knowledge).lasting == 0


def test_what_fades_most_comes_first():
    rungs = [rung("a"), rung("b")]
    knowledge = {
        ("a", ""): known(Grade.SOLID, stability_days=8.0),
        ("b", ""): known(Grade.SOLID, stability_days=2.0),
    }
    assert ready_for(GOAL, rungs, knowledge).fading == [1, 0]


def test_questions_never_asked_come_before_their_follow_ups():
    rungs = [rung("a"), rung("a", "x", "L1"), rung("b")]
    assert ready_for(GOAL, rungs, {}).new == [0, 2, 1]


@pytest.mark.parametrize(
    ("new_cards", "cards", "days"),
    [(0, 0, 0), (0, 1, 1), (0, 10, 1), (0, 11, 2), (5, 5, 3), (2, 21, 3), (1, 1, 1)],
)
def test_the_days_needed_hold_both_caps(new_cards, cards, days):
    assert days_needed(new_cards, cards, GOAL) == days


def test_without_room_for_new_cards_no_days_are_enough():
    closed = replace(GOAL, new_cap=0)
    assert days_needed(1, 1, closed) is None
    assert days_needed(0, 3, closed) == 1
    ready = ready_for(closed, [rung("a")], {})
    assert (ready.days_needed, ready.fits) == (None, False)


def test_a_card_counts_once_with_all_its_rungs():
    rungs = [rung("a"), rung("a", "x", "L1"), rung("a", "y", "L2")]
    ready = ready_for(replace(GOAL, daily_cap=1), rungs, {})
    assert (ready.new_cards, ready.days_needed) == (1, 1)


def test_a_card_with_only_a_follow_up_missing_is_not_new():
    rungs = [rung("a"), rung("a", "x", "L1")]
    ready = ready_for(replace(GOAL, new_cap=0), rungs, {("a", ""): known(Grade.SOLID)})
    assert (ready.new_cards, ready.days_needed) == (0, 1)


def test_what_comes_back_anyway_takes_its_place_in_the_cap():
    planned = [f"other-{n}" for n in range(20)]
    knowledge = {("a", ""): known(Grade.MISSED)}
    assert ready_for(GOAL, [rung("a")], knowledge).days_needed == 1
    assert ready_for(GOAL, [rung("a")], knowledge, planned).days_needed == 3
    assert ready_for(GOAL, [rung("a")], knowledge, ["a"]).days_needed == 1


def test_what_takes_just_the_days_that_are_left_fits():
    rungs = [rung(f"card-{n}") for n in range(24)]
    assert ready_for(GOAL, rungs, {}).fits
    assert not ready_for(replace(GOAL, days_left=11), rungs, {}).fits


def test_nothing_missing_fits_even_on_the_day():
    knowledge = {("a", ""): known(Grade.SOLID)}
    ready = ready_for(replace(GOAL, days_left=0), [rung("a")], knowledge)
    assert (ready.missing, ready.days_needed, ready.fits) == (0, 0, True)


@pytest.mark.parametrize(
    ("done", "new", "new_cards", "cards", "days"),
    [
        (0, 0, 0, 10, 1),
        (1, 0, 0, 10, 2),
        (10, 0, 0, 10, 2),
        (40, 0, 0, 10, 2),
        (9, 2, 0, 0, 0),
        (2, 2, 2, 2, 2),
        (2, 1, 1, 1, 1),
    ],
)
def test_today_counts_with_what_is_left_of_it(done, new, new_cards, cards, days):
    begun = replace(GOAL, done_today=done, new_today=new)
    assert days_needed(new_cards, cards, begun) == days
