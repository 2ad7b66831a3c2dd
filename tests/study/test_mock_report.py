"""What the report says of grades: levels without a gap, the weakest, what is next."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from interview.cards.card import Audience
from interview.recall.grade import Grade
from interview.study.mock.question import Graded, Question
from interview.study.mock.report import Report
from interview.study.models import SessionStep
from interview.web.clock import Clock
from interview.web.content import library

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
S, P, M = Grade.SOLID, Grade.PARTLY, Grade.MISSED
RUNGS = ("first", "second", "third", "fourth")


@pytest.fixture
def ask(content):
    """A question with the grades of itself and of its rungs from L1 to L4."""

    def asked(card_id, *grades, position=1, said="", passed=False):
        card = library().visible(card_id, Audience.CANDIDATE)
        ids = ("", *RUNGS)[: len(grades)]
        given = {
            item: Graded(grade, UUID(int=n), 0)
            for n, (item, grade) in enumerate(zip(ids, grades, strict=True))
        }
        step = SessionStep(position=position, card_id=card_id, asked_at=NOW, said=said)
        planned = card.follow_ups if passed else card.follow_ups[: len(grades) - 1]
        return Question(step, card, ids, planned, given, Clock.of(NOW, 6, NOW))

    return asked


def report(*questions):
    return Report.of(list(questions), library())


@pytest.mark.parametrize(
    ("grades", "reached"),
    [
        ((S, S, S, S, S), "L4"),
        ((S, S, P, S, S), "L1"),
        ((S, P, S, S, S), ""),
        ((P, S, S, S, S), None),
        ((M,), None),
        ((S,), ""),
        ((S, S, None, S), "L1"),
        ((None, S), None),
    ],
)
def test_a_level_is_reached_without_a_gap_below(ask, grades, reached):
    [topic] = report(ask("two-phases", *grades)).topics
    assert topic.climbs[0].reached == reached
    assert topic.climbs[0].is_open == (None in grades)
    assert topic.is_graded == (grades[0] is not None)


def test_a_topic_stands_where_its_lowest_question_stands(content, ask):
    content.card("another")
    high, low = (
        ask("two-phases", S, S, S, position=1),
        ask("another", S, S, P, position=2),
    )
    [topic] = report(high, low).topics
    assert topic.title == "Phases"
    assert topic.reached == "L1"
    [topic] = report(high, ask("another", S, P, position=2)).topics
    assert topic.reached == ""
    [topic] = report(ask("another", S, P), high).topics
    assert topic.reached == ""
    [topic] = report(high, ask("another", M, S)).topics
    assert topic.reached is None
    [topic] = report(high, ask("another", None)).topics
    assert topic.reached == "L2"


def test_the_weakest_is_the_worst_grade_on_the_lowest_rung(ask):
    found = report(
        ask("two-phases", S, P, M, M), ask("kv-cache", P, S, M, position=2)
    ).weakest
    assert (found.card.id, found.rung.id, found.grade) == ("two-phases", "second", M)
    found = report(ask("two-phases", S, P), ask("kv-cache", P, S, position=2)).weakest
    assert (found.card.id, found.rung) == ("kv-cache", None)
    assert report(ask("two-phases", S, S)).weakest is None


def test_what_was_solid_asks_for_nothing_more(ask):
    found = report(ask("two-phases", S, S, S), ask("kv-cache", S, S, position=2))
    assert (found.reading, found.cards, found.doubts) == ([], [], [])


def test_sections_and_cards_of_what_was_not_solid_are_to_be_read(ask):
    found = report(ask("two-phases", S, S), ask("kv-cache", P, position=2))
    assert [each.section.number for each in found.reading] == ["1.1", "1.2"]
    assert [card.id for card in found.cards] == ["kv-cache"]


def test_who_missed_a_question_reads_what_it_builds_on_first(ask):
    found = report(ask("kv-cache", M))
    assert [card.id for card in found.cards] == ["two-phases", "kv-cache"]


def test_a_wrong_answer_that_was_said_is_the_reason_for_its_experiment(ask):
    [doubt] = report(ask("two-phases", S, S, said="more same")).doubts
    assert doubt.experiment.id == "one-request"
    assert doubt.wrong.id == "same"
    [doubt] = report(ask("two-phases", S, P)).doubts
    assert (doubt.experiment.id, doubt.wrong) == ("one-request", None)


def test_a_passed_question_is_a_doubt(ask):
    found = report(ask("two-phases", S, S, passed=True))
    assert [card.id for card in found.cards] == ["two-phases"]


def test_what_is_not_graded_is_counted_and_is_no_gap(ask):
    found = report(ask("two-phases", None, None, S))
    assert found.ungraded == 2
    assert found.weakest is None
