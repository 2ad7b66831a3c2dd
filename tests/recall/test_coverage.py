"""The coverage map, and the curve that its weakest rungs are told by."""

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Card, Scheduler, State

from interview.recall.coverage import (
    Cell,
    Part,
    Rung,
    Rungs,
    coverage,
    weakest,
)
from interview.recall.days import posix_ms
from interview.recall.forgetting import recall_after
from interview.recall.grade import Grade

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def rung(card_id, rung_id="", topic="phases", level=""):
    return Rung(card_id, rung_id, topic, level)


def known(grade, days=0, stability=10.0):
    return (grade, stability, int(posix_ms(NOW - timedelta(days=days))))


def covered(rungs, knowledge, part=None):
    """`knowledge` is by card and rung; `part` are places, all of them when left out."""
    rungs = Rungs(rungs)
    part = Part(rungs, range(len(rungs)) if part is None else part)
    by_place = {rungs.places["/".join(key)]: known for key, known in knowledge.items()}
    return coverage(part, by_place, NOW)


@pytest.mark.parametrize("days", [0, 1, 7, 365])
@pytest.mark.parametrize("stability", [0.5, 10.0, 300.0])
def test_the_curve_is_that_of_fsrs(days, stability):
    card = Card(
        card_id=0,
        state=State.Review,
        stability=stability,
        difficulty=5.0,
        last_review=NOW - timedelta(days=days),
    )
    theirs = Scheduler().get_card_retrievability(card, NOW)
    assert recall_after(days, stability) == pytest.approx(theirs, rel=1e-12)


def test_a_look_to_come_is_no_forgetting():
    assert recall_after(-3, 5.0) == 1


def test_a_cell_counts_solid_shaky_and_new():
    rungs = [rung(name) for name in "abcd"]
    grades = dict(zip("abc", Grade, strict=True))
    knowledge = {(name, ""): known(grade) for name, grade in grades.items()}
    [row] = covered(rungs, knowledge)
    assert row.cells == {"": Cell(solid=1, shaky=2, new=1)}
    assert row.cells[""].all == 4


def test_rows_are_topics_in_the_order_of_the_rungs_and_cells_levels():
    rungs = [
        rung("a"),
        rung("a", "x", level="L1"),
        rung("b", topic="memory"),
        rung("c", "y", level="L1"),
    ]
    first, second = covered(rungs, {("a", "x"): known(Grade.SOLID)})
    assert (first.topic, second.topic) == ("phases", "memory")
    assert first.cells == {"": Cell(new=1), "L1": Cell(solid=1, new=1)}
    assert second.cells == {"": Cell(new=1)}


def test_the_weakest_was_missed_before_it_was_known_in_part():
    rungs = [rung("a"), rung("b"), rung("c")]
    knowledge = {
        ("a", ""): known(Grade.SOLID, days=300),
        ("b", ""): known(Grade.PARTLY, days=200),
        ("c", ""): known(Grade.MISSED, days=1),
    }
    [row] = covered(rungs, knowledge)
    assert row.weakest.rung == rungs[2]


def test_of_two_that_were_missed_the_weaker_has_faded_more():
    rungs = [rung("a"), rung("b", topic="memory")]
    knowledge = {
        ("a", ""): known(Grade.MISSED, days=1),
        ("b", ""): known(Grade.MISSED, days=5),
    }
    rows = covered(rungs, knowledge)
    assert weakest(rows).rung == rungs[1]
    assert weakest(rows).recall == recall_after(5, 10.0)


def test_without_a_grade_nothing_is_weakest():
    rows = covered([rung("a")], {})
    assert rows[0].weakest is None
    assert weakest(rows) is None
    assert weakest([]) is None


def test_what_is_known_of_other_cards_counts_nowhere():
    rungs, knowledge = [rung("a"), rung("other")], {("other", ""): known(Grade.MISSED)}
    [row] = covered(rungs, knowledge, part=[0])
    assert (row.cells[""], row.weakest) == (Cell(new=1), None)


def test_what_is_solid_is_no_weakest_rung():
    [row] = covered([rung("a")], {("a", ""): known(Grade.SOLID, days=99)})
    assert row.weakest is None
