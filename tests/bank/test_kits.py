"""The list of kits, and how one begins."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interview.accounts.models import Role
from interview.bank.kits.drawing import drawn_lines
from interview.bank.models import CardState, Kit
from interview.cards.draw import Wish
from interview.web.content import library
from tests.bank.kit_form import at, ids, new_kit
from tests.bank.stage import (
    FIRST,
    NOW,
    SECOND,
    THIRD,
    browser,
    interview,
    interviewer,
    kit,
)

pytestmark = pytest.mark.django_db


def test_the_list_tells_what_a_kit_asks_and_how_often_it_was_used(ada, at_ada):
    made = kit(ada, FIRST, THIRD)
    for candidate in ("Ann", "Ben"):
        interview(made, [ada], candidate=candidate)
    text = at_ada.get("/bank/kits/").text
    for said in (
        "Screen",
        "yours",
        "version 1<",
        "2 questions",
        "12&nbsp;min",
        "L1, L2, L3, L4",
        "Request life cycle and metrics",
        "used in 2 interviews",
    ):
        assert said in text


def test_the_list_has_ones_own_and_shared_kits_and_an_owner_sees_all(ada, at_ada):
    bo = interviewer("bo")
    kit(bo, FIRST, title="Kept to bo")
    kit(bo, FIRST, title="Lent by bo").share(True)
    text = at_ada.get("/bank/kits/").text
    assert ("Lent by bo" in text, "Kept to bo" in text) == (True, False)
    assert "by bo" in text
    owner = browser(interviewer("cy", Role.OWNER))
    assert "Kept to bo" in owner.get("/bank/kits/").text


def test_a_retired_kit_is_on_its_own_list(ada, at_ada):
    kit(ada, FIRST, title="Old one").retire(NOW)
    assert "Old one" not in at_ada.get("/bank/kits/").text
    assert "Old one" in at_ada.get("/bank/kits/?retired=1").text


def test_the_list_asks_the_database_as_often_for_many_kits(ada, at_ada):
    def queries():
        with CaptureQueriesContext(connection) as found:
            at_ada.get("/bank/kits/")
        return len(found)

    interview(kit(ada, FIRST), [ada])
    # The first page of a process asks for more.
    queries()
    one = queries()
    for n in range(12):
        interview(kit(ada, FIRST, SECOND, title=f"Kit {n}"), [ada])
    assert queries() == one


def test_a_new_kit_begins_empty_for_its_role_and_level(at_ada):
    response = new_kit(at_ada, role="platform-sre")
    made = Kit.objects.get()
    assert (response.status_code, response["Location"]) == (303, at("kit", made))
    assert made.latest.holds([], role="platform-sre", level="L3", notes="")


def test_a_new_kit_may_be_drawn_and_its_seed_is_told(at_ada):
    response = new_kit(at_ada, minutes="45", seed="7")
    drawn = drawn_lines(library(), Wish(45, "L3"), 7, ())
    assert Kit.objects.get().latest.holds(drawn, role="", level="L3", notes="")
    assert "Drawn with seed 7" in at_ada.get(response["Location"]).text


def test_a_leaked_card_is_not_drawn_into_a_kit(ada, at_ada):
    drawn = drawn_lines(library(), Wish(45, "L3"), 7, ())
    CardState.objects.flag_leak(drawn[0].card_id, ada, "On a forum.", NOW)
    new_kit(at_ada, minutes="45", seed="7")
    assert drawn[0].card_id not in ids(Kit.objects.get().latest)


def test_a_new_kit_that_is_sent_twice_is_one(at_ada):
    key = uuid.uuid4()
    assert new_kit(at_ada, key=key, minutes="45").status_code == 303
    assert new_kit(at_ada, key=key, minutes="45").status_code == 303
    assert Kit.objects.get().latest.revision == 2


def test_a_new_kit_without_a_title_is_asked_again_with_what_was_typed(at_ada):
    response = new_kit(at_ada, title="", seed="77")
    assert (response.status_code, Kit.objects.count()) == (422, 0)
    assert 'value="77"' in response.text
    assert "This field is required." in response.text


def test_a_key_of_somebody_elses_kit_is_refused_with_a_sentence(ada, at_ada):
    theirs = kit(interviewer("bo"), FIRST)
    response = new_kit(at_ada, key=theirs.pk)
    assert (response.status_code, Kit.objects.count()) == (422, 1)
    assert "open the page anew" in response.text
