"""A note that is typed while the interview is anonymised or deleted does not stay."""

from contextlib import suppress

import pytest

from interview.bank.errors import Frozen
from interview.bank.models import AuditEntry, Note, Scorecard, Verb
from interview.bank.privacy.forgetting import anonymise, erase
from tests.bank import stage
from tests.bank.full_interview import write_note
from tests.study.test_acts_parallel import at_once

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 5


@pytest.fixture
def ada():
    return stage.interviewer("Ada I.")


@pytest.fixture
def held(ada):
    return stage.interview(stage.kit(ada), [ada], candidate="Cleo")


def typing(card, ends):
    """Notes one after the other, until the interview takes none any more."""
    score = card.in_order().first()

    def write():
        with suppress(*ends):
            for _ in range(100):
                write_note(score, "They drew the two phases.")

    return write


def test_no_note_outlives_anonymising(ada):
    kit = stage.kit(ada)
    for number in range(TIMES):
        held = stage.interview(kit, [ada], candidate=f"Cleo {number}")
        card = stage.score(held, ada, [2, 3])
        write = typing(card, (Frozen,))
        at_once(write, lambda held=held: anonymise(held, ada, stage.NOW), write)
        notes = Note.objects.filter(score__scorecard=card)
        assert set(notes.values_list("text", flat=True)) <= {""}


def test_no_note_outlives_deleting(ada):
    kit = stage.kit(ada)
    for number in range(TIMES):
        held = stage.interview(kit, [ada], candidate=f"Cleo {number}")
        card = stage.score(held, ada, [2, 3])
        write = typing(card, (Scorecard.DoesNotExist,))
        at_once(write, lambda held=held: erase(held, ada, stage.NOW), write)
        assert not Note.objects.exists()


def test_two_who_delete_at_once_delete_once(held, ada):
    found = at_once(*[lambda: erase(held, ada, stage.NOW)] * 2)
    assert sorted(found) == [False, True]
    assert AuditEntry.objects.filter(verb=Verb.DELETED).count() == 1
