"""How cards fared: what counts as asked, and which ratings count."""

from datetime import timedelta

import pytest
from django.utils import timezone

from interview.bank.models import PanelMember
from interview.bank.questions.use import PATIENCE, uses
from tests.bank import stage

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def ida():
    return stage.interviewer("Ida")


@pytest.fixture
def kim():
    return stage.interviewer("Kim")


def held_by(*panel, kit=None):
    """An interview of which both questions were put."""
    held = stage.interview(kit or stage.kit(panel[0]), panel)
    for each in held.in_order():
        held.put(each, "", timezone.now())
    return held


def counts(card_id=stage.FIRST, today=stage.DAY):
    return uses(today)[card_id].spread.counts


def test_a_card_counts_as_often_as_it_was_put(ida):
    first, second = held_by(ida), stage.interview(stage.kit(ida), [ida])
    second.put(second.in_order()[0], "", stage.later(60))
    found = uses(stage.DAY)
    assert (found[stage.FIRST].times, found[stage.SECOND].times) == (2, 1)
    last = first.in_order()[1].asked_at
    assert found[stage.SECOND].last == last
    assert stage.THIRD not in found


def test_ratings_count_when_all_of_the_panel_are_in(ida, kim):
    held = held_by(ida, kim)
    stage.submit(held, ida, [3, None])
    assert counts() == (0, 0, 0, 0, 0)
    stage.score(held, kim, [0, 2])
    assert counts() == (0, 0, 0, 0, 0)
    held.scorecards.get(interviewer=kim).submit(stage.rungs_of(held), stage.NOW)
    assert counts() == (1, 0, 0, 1, 0)
    assert counts(stage.SECOND) == (0, 0, 1, 0, 0)


def test_ratings_wait_for_who_never_comes_in_and_not_for_ever(ida, kim):
    held = held_by(ida, kim)
    stage.submit(held, ida, [3, None])
    stage.score(held, kim, [0, 2])
    assert counts(today=held.held_on + PATIENCE - DAY) == (0, 0, 0, 0, 0)
    assert counts(today=held.held_on + PATIENCE) == (0, 0, 0, 1, 0)


def test_a_draft_of_who_left_the_panel_never_counts(ida, kim):
    held = held_by(ida, kim)
    stage.submit(held, ida, [3, 3])
    stage.score(held, kim, [1, 1])
    PanelMember.objects.filter(interview=held, user=kim).delete()
    assert counts() == (0, 0, 0, 1, 0)


def test_a_voided_question_was_asked_and_its_ratings_count_for_nobody(ida):
    held = held_by(ida)
    stage.submit(held, ida, [3, 2])
    held.in_order()[0].question.void("The network was down.", stage.NOW)
    assert (uses(stage.DAY)[stage.FIRST].times, counts()) == (1, (0, 0, 0, 0, 0))
    assert counts(stage.SECOND) == (0, 0, 1, 0, 0)


def test_a_rating_that_is_void_and_sealed_is_left_out_once(ida, kim):
    kit = stage.kit(ida)
    stage.submit(held_by(ida, kit=kit), ida, [3, 3])
    stage.score(held_by(ida, kim, kit=kit), ida, [3, 3])
    stage.submit(held_by(ida), ida, [3, 3])
    kit.latest.in_order()[0].void("The network was down.", stage.NOW)
    assert counts() == (0, 0, 0, 1, 0)
