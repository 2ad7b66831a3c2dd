"""Versions of a kit, what stands beside its form, and its print."""

import re
import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interview.bank.kits.drawing import drawn_lines
from interview.bank.models import CardState, Kit
from interview.cards.draw import Wish
from interview.web.content import library
from tests.bank.kit_form import at, draw, ids, save, void
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


def test_an_edit_of_a_used_version_says_that_it_begins_the_next(ada, at_ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    assert "What you save here is version 2." in at_ada.get(at("kit", made)).text
    response = save(at_ada, made, add=THIRD)
    assert "Saved as version 2." in at_ada.get(response["Location"]).text
    assert [ids(each) for each in made.versions.order_by("number")] == [
        [FIRST],
        [FIRST, THIRD],
    ]


def test_a_version_shows_what_differs_from_the_one_before(ada, at_ada):
    made = kit(ada, FIRST, SECOND)
    interview(made, [ada])
    lines = [line(SECOND, 9), line(FIRST, levels=("L1", "L2", "L3")), line(THIRD)]
    draft = made.draft(NOW)
    draft.save_lines(lines, role="", level="L3", notes="Hi.", revision=draft.revision)
    text = at_ada.get(at("kit_version", made, 2)).text
    first, second, third = (
        library().cards[card].title_text for card in (FIRST, SECOND, THIRD)
    )
    for said in (
        "Up to L3, before up to L4.",
        "The notes to the kit are other ones.",
        f"New: “{third}”, question 3.",
        f"What stayed is asked in another order: “{second}”, “{first}”.",
        f"“{first}” does not ask L4",
        f"“{second}” has 9 min, before 6.",
    ):
        assert said in text, said
    before = at_ada.get(at("kit_version", made, 1)).text
    assert "What differs" not in before
    assert "There is a newer one" in before


def test_a_used_version_shows_the_card_as_it_was_asked(ada, at_ada, monkeypatch):
    made = kit(ada, FIRST)
    interview(made, [ada])
    monkeypatch.setattr("interview.bank.frozen.library", nothing_is_left)
    text = at_ada.get(at("kit_version", made, 1)).text
    assert library().cards[FIRST].title_text in text


def nothing_is_left():
    raise AssertionError("A frozen card is not read from the content.")


def test_a_version_that_is_not_there_is_not_found(ada, at_ada):
    made = kit(ada, FIRST)
    for number in (0, 2, 10**30):
        assert at_ada.get(at("kit_version", made, number)).status_code == 404
        query = f"?version={number}"
        assert at_ada.get(at("kit_print", made) + query).status_code == 404
    assert at_ada.get(at("kit_print", made) + "?version=x").status_code == 404


def test_a_card_that_was_edited_between_two_uses_is_told(ada, at_ada):
    made = kit(ada, FIRST)
    interview(made, [ada])
    draft = made.draft(NOW)
    draft.save_lines(
        [line(FIRST)], role="", level="L4", notes="", revision=draft.revision
    )
    card = library().cards[FIRST]
    source = card.source.replace("minutes: 6", "minutes: 5")
    draft.freeze({FIRST: replace(card, source=source)}, NOW)
    text = at_ada.get(at("kit_version", made, 2)).text
    assert f"“{card.title_text}”: the text of the card changed." in text


def test_the_fairness_of_a_kit_is_told_with_what_to_do(ada, at_ada):
    made = kit(ada, SECOND, FIRST)
    CardState.objects.flag_leak(FIRST, ada, "On a forum.", NOW)
    text = at_ada.get(at("kit", made)).text
    for said in (
        "which is question 2.",
        "Move question 2 before it.",
        "Candidates know this card: On a forum.",
        '<a href="#question-1">',
    ):
        assert said in text
    fair = kit(ada, THIRD)
    assert "Nothing stands against it" in at_ada.get(at("kit", fair)).text


def test_a_colleague_reads_a_shared_kit_and_makes_a_copy(ada, at_ada):
    theirs = kit(interviewer("bo"), FIRST)
    assert at_ada.get(at("kit", theirs)).status_code == 404
    theirs.share(True)
    text = at_ada.get(at("kit", theirs)).text
    assert "Only bo edits this kit." in text
    assert "kit-form" not in text
    for name in ("kit", "kit_share", "kit_retire", "kit_draw", "kit_void"):
        assert at_ada.post(at(name, theirs)).status_code == 404
    sent = {"copy-key": uuid.uuid4(), "copy-title": "Mine"}
    for _ in range(2):
        response = at_ada.post(at("kit_duplicate", theirs), sent)
        assert response.status_code == 303
    mine = Kit.objects.get(title="Mine")
    assert (mine.owner, response["Location"]) == (ada, at("kit", mine))
    assert (ids(mine.latest), mine.is_shared) == ([FIRST], False)


def test_a_copy_without_a_title_is_asked_again(ada, at_ada):
    made = kit(ada, FIRST)
    response = at_ada.post(at("kit_duplicate", made), {"copy-key": uuid.uuid4()})
    assert response.status_code == 422
    assert "This field is required." in response.text


def test_a_kit_is_shared_and_kept_back_and_retired_and_taken_back(ada, at_ada):
    made = kit(ada, FIRST)
    for name, field, state in (
        ("kit_share", "shared", lambda: made.is_shared),
        ("kit_retire", "retired", lambda: made.retired_at is not None),
    ):
        for sent, is_on in (({field: "1"}, True), ({}, False)):
            assert at_ada.post(at(name, made), sent).status_code == 303
            made.refresh_from_db()
            assert state() is is_on


def test_a_set_takes_the_place_of_the_questions_and_keeps_the_notes(ada, at_ada):
    made = kit(ada, FIRST, notes="Be kind.")
    sent = draw(made)
    for _ in range(2):
        assert at_ada.post(at("kit_draw", made), sent).status_code == 303
    lines = drawn_lines(library(), Wish(45, "L3"), 7, ())
    assert made.latest.holds(lines, role="", level="L3", notes="Be kind.")
    assert made.latest.revision == 3


def test_a_set_over_a_save_that_was_not_seen_is_not_drawn(ada, at_ada):
    made = kit(ada, FIRST)
    sent = draw(made)
    save(at_ada, made, add=SECOND)
    response = at_ada.post(at("kit_draw", made), sent)
    assert response.status_code == 409
    assert "Somebody saved this kit since" in response.text
    assert ids(made.latest) == [FIRST, SECOND]


def test_a_seed_that_is_none_is_asked_again(ada, at_ada):
    made = kit(ada, FIRST)
    response = at_ada.post(at("kit_draw", made), draw(made, seed="lucky"))
    assert response.status_code == 422
    assert "Write a whole number" in response.text
    assert ids(made.latest) == [FIRST]


def test_a_question_is_void_with_a_reason_and_counts_again_without(ada, at_ada):
    made = kit(ada, FIRST, SECOND)
    interview(made, [ada])
    response = void(at_ada, made)
    assert response["Location"].endswith("/versions/1/#question-1")
    text = at_ada.get(at("kit_version", made, 1)).text
    assert re.search(r"Void for all since [^:]+: It was wrong\.", text)
    void(at_ada, made, void="", reason="")
    assert made.latest.in_order()[0].voided_at is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reason": " "}, "Say why the question is void"),
        ({"reason": "a" * 501}, "at most 500 characters"),
    ],
)
def test_a_question_is_not_void_without_a_fit_reason(ada, at_ada, changed, said):
    made = kit(ada, FIRST)
    interview(made, [ada])
    response = void(at_ada, made, **changed)
    assert response.status_code == 422
    assert said in response.text
    assert made.latest.in_order()[0].voided_at is None


def test_only_what_was_used_is_void(ada, at_ada):
    made = kit(ada, FIRST)
    response = void(at_ada, made)
    assert response.status_code == 422
    assert "take the question out" in response.text
    assert void(at_ada, made, number=7).status_code == 404


def test_the_print_for_the_interviewer_has_what_is_asked_and_its_anchors(ada, at_ada):
    made = kit(ada, FIRST, notes="Open gently.")
    lines = [line(FIRST, levels=("L1", "L2"), notes="Wait here.")]
    made.latest.save_lines(lines, role="", level="L2", notes="Open gently.", revision=2)
    text = at_ada.get(at("kit_print", made)).text
    for said in ("Open gently.", "Wait here.", "Wrong answers to listen for"):
        assert said in text
    assert text.count("☐ met") == len(lines[0].rung_ids)
    only = at_ada.get(at("kit_print", made) + "?questions=1").text
    for said in ("Open gently.", "Wait here.", "Wrong answers", "☐", "Short answer"):
        assert said not in only
    assert only.count('class="rung"') == len(lines[0].rung_ids)


def test_a_page_of_a_kit_asks_the_database_as_often_for_many_questions(ada, at_ada):
    def queries(name, made, *more):
        with CaptureQueriesContext(connection) as found:
            assert at_ada.get(at(name, made, *more)).status_code == 200
        return len(found)

    small, large = kit(ada, FIRST), kit(ada, *[*library().cards][:20], title="Large")
    for made in (small, large):
        interview(made, [ada])
    # The first page of a process asks for more.
    queries("kit", small)
    for name, *more in (("kit",), ("kit_version", 1), ("kit_print",)):
        assert queries(name, small, *more) == queries(name, large, *more)
