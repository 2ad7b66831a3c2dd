"""Forms of an interview that come twice at the same moment, on either database."""

from contextlib import suppress
from uuid import uuid4

import pytest

from interview.bank.errors import BankError, Changed
from interview.bank.models import (
    AuditEntry,
    CandidateLink,
    Interview,
    Note,
    Scorecard,
    Verb,
)
from tests.bank import stage
from tests.bank.full_interview import write_note
from tests.study.test_acts_parallel import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ann():
    return stage.interviewer("Ann")


def change(interview, by, panel, **changes):
    given = {
        "candidate": interview.candidate,
        "held_on": interview.held_on,
        "setup": interview.setup,
    }
    interview.change(by, panel=panel, now=stage.NOW, **given | changes)


def outcome(act):
    try:
        return act()
    except BankError as refused:
        return refused


def test_a_form_that_is_sent_twice_at_once_plans_one_interview(ann):
    kit, key = stage.kit(ann), uuid4()
    plans = [lambda: stage.interview(kit, [ann], key=key) for _ in range(4)]
    assert {made.pk for made in at_once(*plans)} == {key}
    assert AuditEntry.objects.filter(verb=Verb.PLANNED).count() == 1


def test_of_two_changes_at_once_one_is_saved_and_the_other_told(ann):
    planned = stage.interview(stage.kit(ann), [ann])

    setup = planned.setup

    def rename(name):
        found = Interview.objects.get(pk=planned.pk)
        change(found, ann, [ann], candidate=name, setup=setup)
        return name

    names = ("Ada", "Grace")
    told = at_once(*[lambda name=name: outcome(lambda: rename(name)) for name in names])
    saved = [each for each in told if each in names]
    planned.refresh_from_db()
    assert saved == [planned.candidate]
    assert sum(isinstance(each, Changed) for each in told) == 1


def test_of_links_made_at_once_one_opens(ann):
    planned = stage.interview(stage.kit(ann), [ann])
    made = at_once(*[lambda: planned.make_link(ann, stage.NOW) for _ in range(4)])
    tokens = [token for _, token in made]
    opened = [
        each for each in tokens if CandidateLink.objects.of_token(each, stage.NOW)
    ]
    assert len(opened) == 1


def test_an_interview_that_two_end_at_once_ends_once(ann):
    planned = stage.interview(stage.kit(ann), [ann])

    def end():
        Interview.objects.get(pk=planned.pk).end(ann, stage.NOW)

    at_once(end, end, end)
    assert AuditEntry.objects.filter(verb=Verb.ENDED).count() == 1


def test_who_writes_while_they_are_taken_off_the_panel_stays_or_writes_nothing(ann):
    bo, kit = stage.interviewer("Bo"), stage.kit(ann)
    for number in range(5):
        planned = stage.interview(kit, [ann, bo], candidate=f"Cleo {number}")
        score = Scorecard.objects.of(planned, bo, stage.NOW).in_order().first()

        def write(score=score):
            with suppress(Scorecard.DoesNotExist):
                return write_note(score, "They drew the two phases.")

        def take_off(planned=planned):
            return outcome(lambda: change(planned, ann, [ann]))

        written, _ = at_once(write, take_off)
        stays = planned.panel.filter(user=bo).exists()
        assert stays == bool(written) == Note.objects.filter(score=score).exists()
