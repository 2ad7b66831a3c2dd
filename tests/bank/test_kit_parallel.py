"""Saves, copies and a first use of a kit that come at once: none is lost in silence."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from interview.bank.errors import BankError, Changed
from interview.bank.models import AuditEntry, Kit, KitVersion
from tests.bank.stage import (
    FIRST,
    NOW,
    SECOND,
    THIRD,
    interview,
    kit,
    line,
)

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts):
    """What each act returned, or the error of the bank that it raised; all begun
    together, each on a connection of its own."""
    start = Barrier(len(acts))

    def run(act):
        try:
            start.wait(10)
            return act()
        except BankError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def saving(made, *lines):
    """A request of its own, from a page that showed the kit as it is now."""
    latest = made.latest
    seen, pk = (latest.number, latest.revision), made.pk

    def save():
        return Kit.objects.get(pk=pk).edit(
            lines,
            title=made.title,
            title_was=made.title,
            role="",
            level="L4",
            notes="",
            read=seen,
            now=NOW,
        )

    return save


def ids(version):
    return [each.card_id for each in version.in_order()]


def test_of_different_saves_at_once_one_stands_and_the_others_are_told(ada):
    made = kit(ada, FIRST)
    cards = [SECOND, THIRD, SECOND, THIRD]
    outcomes = at_once(*[saving(made, line(card)) for card in cards])
    told = [each for each in outcomes if isinstance(each, Changed)]
    saved = [each for each in outcomes if isinstance(each, KitVersion)]
    assert len(told) + len(saved) == 4
    assert {each.revision for each in saved} == {made.latest.revision}
    # Two of the four sent what stands, and that is saved once.
    assert (len(told), made.latest.revision) == (2, 3)


def test_two_edits_of_a_used_version_at_once_begin_one_draft(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    outcomes = at_once(
        saving(made, line(SECOND)), saving(made, line(THIRD)), saving(made, line(FIRST))
    )
    told = [each for each in outcomes[:2] if isinstance(each, Changed)]
    assert len(told) == 1
    assert made.versions.count() == 2
    [stands] = [each for each in outcomes[:2] if not isinstance(each, Changed)]
    assert ids(made.latest) == ids(stands)


def test_a_first_use_and_an_edit_at_once_leave_what_was_asked_alone(ada):
    made = kit(ada, FIRST)
    planned, edited = at_once(
        lambda: interview(Kit.objects.get(pk=made.pk), [ada]),
        saving(made, line(SECOND)),
    )
    asked = [each.question.card_id for each in planned.in_order()]
    version = KitVersion.objects.get(pk=planned.version_id)
    assert version.is_frozen
    assert ids(version) == asked
    if isinstance(edited, KitVersion):
        assert ids(made.latest) == [SECOND]
    else:
        assert ids(made.latest) == [FIRST]


def test_a_copy_asked_for_four_times_at_once_is_one_kit(ada):
    made, key = kit(ada, FIRST, SECOND), uuid.uuid4()
    pk = made.pk
    outcomes = at_once(
        *[lambda: Kit.objects.get(pk=pk).duplicate(ada, "Mine", NOW, key)] * 4
    )
    assert {each.pk for each in outcomes} == {key}
    copy = Kit.objects.get(pk=key)
    assert (copy.versions.count(), ids(copy.latest)) == (1, [FIRST, SECOND])


def test_a_question_voided_four_times_at_once_is_noted_once(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    before, pk = AuditEntry.objects.count(), made.latest.pk
    at_once(*[lambda: KitVersion.objects.get(pk=pk).void(1, "Wrong.", ada, NOW)] * 4)
    assert AuditEntry.objects.count() == before + 1
