"""A kit and its versions: freezing, drafts, copies, and saves that meet."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interview.bank.errors import BankError, Changed, Frozen
from interview.bank.models import AuditEntry, Kit, KitQuestion, Verb
from interview.web.content import library
from interview.web.models import CardVersion
from tests.bank.stage import (
    FIRST,
    NOW,
    SECOND,
    THIRD,
    interview,
    interviewer,
    kit,
    line,
)

pytestmark = pytest.mark.django_db


def edit(kit, *lines, **changed):
    """Save as a page of the newest version would, but for what is changed."""
    latest = kit.latest
    sent = {
        "title": kit.title,
        "title_was": kit.title,
        "role": latest.role,
        "level": latest.level,
        "notes": latest.notes,
        "read": (latest.number, latest.revision),
        "now": NOW,
    }
    return kit.edit(lines, **sent | changed)


def ids(version):
    return [each.card_id for each in version.in_order()]


def test_a_draft_is_edited_in_its_place(ada):
    made = kit(ada, FIRST)
    version = edit(made, line(SECOND), line(FIRST, minutes=3, notes="Slowly."))
    assert (version.number, ids(version)) == (1, [SECOND, FIRST])
    assert version.in_order()[1].line == line(FIRST, minutes=3, notes="Slowly.")


def test_a_plan_freezes_the_cards_as_they_are(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    card = library().cards[FIRST]
    assert made.latest.is_frozen
    assert made.latest.in_order().get().card_hash == card.version
    assert CardVersion.objects.get(pk=card.version).source == card.source


def test_a_second_interview_freezes_nothing_anew(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    frozen_at = made.latest.frozen_at
    made.latest.freeze({}, None)
    assert made.latest.frozen_at == frozen_at


def test_a_kit_without_questions_is_not_frozen(ada):
    empty = Kit.objects.begin(ada, "Empty", NOW)
    with pytest.raises(BankError, match="no question yet"):
        interview(empty, [ada])
    assert not empty.latest.is_frozen


def test_a_card_or_a_follow_up_that_is_gone_is_not_frozen(ada):
    made = kit(ada, FIRST)
    with pytest.raises(BankError, match="left the content"):
        made.latest.freeze({}, NOW)
    KitQuestion.objects.update(rung_ids="no-such-rung")
    with pytest.raises(BankError, match="no follow-up no-such-rung"):
        made.latest.freeze(library().cards, NOW)
    assert not made.latest.is_frozen


def test_an_edit_of_a_used_version_begins_the_next_and_leaves_it(ada):
    made = kit(ada, FIRST, SECOND)
    interview(made, [ada])
    used = made.latest
    version = edit(made, line(THIRD))
    assert (version.number, ids(version), ids(used)) == (2, [THIRD], [FIRST, SECOND])
    assert version.frozen_at is None


def test_a_used_version_is_written_by_nothing(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    used = made.latest
    with pytest.raises(Frozen):
        used.save_lines([], role="", level="L1", notes="", revision=used.revision)
    assert ids(used) == [FIRST]


def test_a_save_that_changes_nothing_begins_no_version(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    edit(made, line(FIRST))
    edit(made, line(FIRST), title="Another title")
    assert (made.versions.count(), made.title) == (1, "Another title")


def test_a_save_over_one_that_was_not_seen_is_told(ada):
    made = kit(ada, FIRST)
    seen = (1, made.latest.revision)
    edit(made, line(SECOND))
    with pytest.raises(Changed) as told:
        edit(made, line(THIRD), read=seen)
    assert ids(told.value.now) == ids(made.latest) == [SECOND]


def test_a_save_over_a_draft_that_began_meanwhile_is_told(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    seen = (1, made.latest.revision)
    edit(made, line(SECOND))
    with pytest.raises(Changed):
        edit(made, line(THIRD), read=seen)
    assert [ids(each) for each in made.versions.order_by("number")] == [
        [FIRST],
        [SECOND],
    ]


def test_a_title_over_one_that_was_not_seen_is_told(ada):
    made = kit(ada, FIRST)
    edit(made, line(FIRST), title="Theirs")
    with pytest.raises(Changed):
        edit(made, line(FIRST), title="Mine", title_was="Screen")
    made.refresh_from_db()
    assert made.title == "Theirs"


def test_of_a_refused_save_nothing_stays(ada):
    made = kit(ada, FIRST)
    with pytest.raises(Changed):
        edit(made, line(SECOND), title="Mine", read=(1, 77))
    made.refresh_from_db()
    assert (made.title, ids(made.latest)) == ("Screen", [FIRST])


def test_the_same_save_twice_is_one(ada):
    made = kit(ada, FIRST)
    seen = (1, made.latest.revision)
    first = edit(made, line(SECOND), title="Two", title_was="Screen", read=seen)
    again = edit(made, line(SECOND), title="Two", title_was="Screen", read=seen)
    assert again.revision == first.revision


def test_a_copy_is_a_draft_of_ones_own_with_the_newest_questions(ada):
    bo, made = interviewer("bo"), kit(ada, FIRST, level="L2", notes="Open gently.")
    interview(made, [ada])
    copy = made.duplicate(bo, "Mine", NOW)
    version = copy.latest
    assert (copy.owner, version.number, version.is_frozen) == (bo, 1, False)
    assert version.holds([line(FIRST)], role="", level="L2", notes="Open gently.")


def test_a_copy_that_is_sent_twice_is_one_and_keeps_what_was_edited_since(ada):
    made, key = kit(ada, FIRST), uuid.uuid4()
    copy = made.duplicate(ada, "Mine", NOW, key)
    edit(copy, line(THIRD))
    assert made.duplicate(ada, "Mine", NOW, key) == copy
    assert ids(copy.latest) == [THIRD]


def test_a_key_of_somebody_elses_kit_begins_none(ada):
    made = kit(ada, FIRST)
    with pytest.raises(BankError, match="not yours"):
        Kit.objects.begin(interviewer("bo"), "Mine", NOW, made.pk)


def test_a_question_is_void_for_all_who_were_asked_and_the_log_has_each(ada):
    made = kit(ada, FIRST, SECOND)
    both = [interview(made, [ada]), interview(made, [ada], candidate="Bea")]
    made.latest.void(2, "Its text was wrong.", ada, NOW)
    first, second = made.latest.in_order()
    assert (first.voided_at, second.void_reason) == (None, "Its text was wrong.")
    noted = AuditEntry.objects.filter(verb=Verb.VOIDED)
    assert {each.interview_id for each in noted} == {each.pk for each in both}
    assert {(each.actor_id, each.object_id) for each in noted} == {(ada.pk, second.pk)}


def test_voiding_takes_as_many_queries_for_ten_interviews_as_for_one(ada):
    made = kit(ada, FIRST)
    counts = []
    for planned in (1, 9):
        for _ in range(planned):
            interview(made, [ada])
        with CaptureQueriesContext(connection) as queries:
            made.latest.void(1, f"Wrong, {planned}.", ada, NOW)
        counts.append(len(queries))
    assert AuditEntry.objects.filter(verb=Verb.VOIDED).count() == 1 + 10
    assert counts[0] == counts[1]


def test_a_question_that_is_void_twice_is_noted_once_and_may_count_again(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    for _ in range(2):
        made.latest.void(1, "Wrong.", ada, NOW)
    assert AuditEntry.objects.filter(verb=Verb.VOIDED).count() == 1
    made.latest.void(1, "", ada, NOW)
    question = made.latest.in_order().get()
    assert (question.voided_at, question.void_reason) == (None, "")


def test_what_nobody_was_asked_is_not_void(ada):
    with pytest.raises(BankError, match="No interview uses this version"):
        kit(ada, FIRST).latest.void(1, "Wrong.", ada, NOW)


def test_a_question_that_the_version_does_not_have_is_not_void(ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    with pytest.raises(BankError, match="no question 9"):
        made.latest.void(9, "Wrong.", ada, NOW)
