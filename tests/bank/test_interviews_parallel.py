"""Forms of an interview that come twice at the same moment, on either database."""

from uuid import uuid4

import pytest

from interview.bank.errors import Changed
from interview.bank.models import AuditEntry, CandidateLink, Interview, Verb
from tests.bank import stage
from tests.study.test_acts_parallel import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ann():
    return stage.interviewer("Ann")


def outcome(act):
    try:
        return act()
    except Changed as changed:
        return changed


def test_a_form_that_is_sent_twice_at_once_plans_one_interview(ann):
    kit, key = stage.kit(ann), uuid4()
    plans = [lambda: stage.interview(kit, [ann], key=key) for _ in range(4)]
    assert {made.pk for made in at_once(*plans)} == {key}
    assert AuditEntry.objects.filter(verb=Verb.PLANNED).count() == 1


def test_of_two_changes_at_once_one_is_saved_and_the_other_told(ann):
    planned = stage.interview(stage.kit(ann), [ann])

    def change(name):
        found = Interview.objects.get(pk=planned.pk)
        found.change(
            ann,
            candidate=name,
            held_on=planned.held_on,
            panel=[ann],
            setup=planned.setup,
            now=stage.NOW,
        )
        return name

    names = ("Ada", "Grace")
    told = at_once(*[lambda name=name: outcome(lambda: change(name)) for name in names])
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
