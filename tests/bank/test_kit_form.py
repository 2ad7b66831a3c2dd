"""The form that edits a kit, also from two tabs."""

import re

import pytest

from interview.web.content import library
from tests.bank.kit_form import at, form, ids, save
from tests.bank.stage import (
    FIRST,
    SECOND,
    THIRD,
    kit,
    line,
)

pytestmark = pytest.mark.django_db


def test_the_form_holds_the_kit_as_it_is(ada, at_ada):
    made = kit(ada, FIRST, notes="Be kind.")
    made.latest.save_lines(
        [line(FIRST, minutes=9, levels=("L1", "L2"), notes="Wait.")],
        role="",
        level="L2",
        notes="Be kind.",
        revision=made.latest.revision,
    )
    text = at_ada.get(at("kit", made)).text
    checked = re.findall(r'name="1-rungs" value="([\w-]+)" checked', text)
    assert tuple(checked) == line(FIRST, levels=("L1", "L2")).rung_ids
    assert re.search(r'name="1-minutes" value="9"', text)
    assert "Wait.</textarea>" in text
    assert "Be kind.</textarea>" in text


def test_a_save_keeps_follow_ups_minutes_notes_and_frame(ada, at_ada):
    made = kit(ada, FIRST, SECOND)
    chosen = line(FIRST, levels=("L1", "L2")).rung_ids
    changed = {
        "1-rungs": reversed(chosen),
        "1-minutes": "4",
        "1-notes": "Ask\r\nslowly.",
        "title": "Round one",
        "level": "L2",
        "role": "platform-sre",
        "notes": "Open gently.",
    }
    assert save(at_ada, made, **changed).status_code == 303
    made.refresh_from_db()
    lines = [line(FIRST, 4, ("L1", "L2"), "Ask\nslowly."), line(SECOND)]
    assert made.title == "Round one"
    assert made.latest.holds(
        lines, role="platform-sre", level="L2", notes="Open gently."
    )


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ((1, 2, 1), [THIRD, FIRST, SECOND]),
        ((3, 2, 3), [SECOND, THIRD, FIRST]),
        ((9, 5, 7), [SECOND, THIRD, FIRST]),
        ((2, 1, 3), [SECOND, FIRST, THIRD]),
        ((2, 2, 3), [SECOND, FIRST, THIRD]),
    ],
)
def test_a_position_that_is_typed_is_where_the_question_goes(
    ada, at_ada, places, order
):
    made = kit(ada, FIRST, SECOND, THIRD)
    save(at_ada, made, **{f"{n}-place": at for n, at in enumerate(places, 1)})
    assert ids(made.latest) == order
    assert [each.position for each in made.latest.in_order()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("button", "order"),
    [
        ({"up": "3"}, [FIRST, THIRD, SECOND]),
        ({"down": "1"}, [SECOND, FIRST, THIRD]),
        ({"up": "1"}, [FIRST, SECOND, THIRD]),
        ({"down": "3"}, [FIRST, SECOND, THIRD]),
        ({"remove": "2"}, [FIRST, THIRD]),
        ({"add": "why-kv-cache"}, [FIRST, SECOND, THIRD, "why-kv-cache"]),
    ],
)
def test_a_button_does_what_it_says_and_saves_the_rest_too(ada, at_ada, button, order):
    made = kit(ada, FIRST, SECOND, THIRD)
    save(at_ada, made, **button, **{"1-notes": "Typed before."})
    assert ids(made.latest) == order
    notes = {each.card_id: each.notes for each in made.latest.in_order()}
    assert notes[FIRST] == "Typed before."


@pytest.mark.parametrize(
    ("button", "place"),
    [
        ({"save": "1"}, ""),
        ({"save": "1", "find": "budget"}, ""),
        ({"up": "3"}, "#question-2"),
        ({"down": "1"}, "#question-2"),
        ({"remove": "2"}, "#question-2"),
        ({"search": "1"}, "?find=#add"),
        ({"add": "why-kv-cache", "find": "budget"}, "?find=budget#add"),
        ({"up": "9" * 5000}, ""),
    ],
)
def test_a_button_leads_to_what_was_at_hand(ada, at_ada, button, place):
    made = kit(ada, FIRST, SECOND, THIRD)
    response = save(at_ada, made, **button)
    assert response["Location"] == f"{at('kit', made)}{place}"


def test_a_card_comes_in_with_its_follow_ups_up_to_the_kits_level(ada, at_ada):
    made = kit(ada, FIRST, level="L2")
    save(at_ada, made, add=SECOND)
    assert made.latest.in_order()[1].line == line(SECOND, 6, ("L1", "L2"))


def test_a_search_saves_what_was_typed_and_shows_cards_to_add(ada, at_ada):
    made = kit(ada, FIRST)
    response = save(at_ada, made, find="token budget", **{"1-notes": "Typed."})
    assert response["Location"] == f"{at('kit', made)}?find=token+budget#add"
    assert made.latest.in_order().get().notes == "Typed."
    text = at_ada.get(response["Location"]).text
    assert f'name="add" value="{SECOND}"' in text
    assert 'value="token budget"' in text


def test_a_search_for_nothing_shows_every_card_but_those_of_the_kit(ada, at_ada):
    made = kit(ada, FIRST)
    response = save(at_ada, made, search="1")
    text = at_ada.get(response["Location"]).text
    found = re.findall(r'name="add" value="([\w-]+)"', text)
    assert sorted(found) == sorted({*library().cards} - {FIRST})
    assert "question 1<" in text


def test_a_search_while_typing_is_the_part_alone(ada, at_ada):
    made = kit(ada, FIRST)
    asked = {"HX-Request": "true", "HX-Request-Type": "partial"}
    text = at_ada.get(at("kit", made), {"find": "budget"}, headers=asked).text
    assert f'value="{SECOND}"' in text
    assert "<html" not in text


def test_a_question_without_follow_ups_is_asked_again_with_what_was_typed(ada, at_ada):
    made = kit(ada, FIRST)
    changed = {"1-rungs": [], "1-notes": "Typed.", "title": "Another"}
    response = save(at_ada, made, **changed)
    assert response.status_code == 422
    for said in ("Choose at least one follow-up", "Typed.</textarea>", "Another"):
        assert said in response.text
    made.refresh_from_db()
    assert made.latest.in_order().get().line == line(FIRST)
    assert made.title == "Screen"


@pytest.mark.parametrize("minutes", ["", "0", "121", "six"])
def test_minutes_are_a_number_from_1_to_120(ada, at_ada, minutes):
    made = kit(ada, FIRST)
    assert save(at_ada, made, **{"1-minutes": minutes}).status_code == 422
    assert made.latest.in_order().get().minutes == 6


def test_after_a_refused_form_a_late_one_is_still_told(ada, at_ada):
    """The form of a page with errors names the version that was read first."""
    made = kit(ada, FIRST)
    seen = made.latest.revision
    made.latest.save_lines([], role="", level="L4", notes="", revision=seen)
    text = at_ada.post(
        at("kit", made), {**form(made), "title": "", "revision": seen}
    ).text
    assert f'name="revision" value="{seen}"' in text


def test_a_card_that_left_stays_in_the_form_until_it_is_taken_out(ada, at_ada):
    made = kit(ada, FIRST)
    made.latest.in_order().update(card_id="old-card", rung_ids="a b")
    text = at_ada.get(at("kit", made)).text
    assert "This card left the content." in text
    assert "Card old-card left the content." in text
    assert save(at_ada, made, **{"1-minutes": 9}).status_code == 303
    assert made.latest.in_order().get().rungs_named == ["a", "b"]
    save(at_ada, made, remove="1")
    assert ids(made.latest) == []


def test_a_kit_has_forty_questions_at_most(ada, at_ada):
    made = kit(ada, *[FIRST] * 40)
    response = save(at_ada, made, add=SECOND)
    assert response.status_code == 422
    assert "at most 40 questions" in response.text


def test_a_retired_or_unknown_card_does_not_come_in(ada, at_ada):
    made = kit(ada, FIRST)
    save(at_ada, made, add="no-such-card")
    assert ids(made.latest) == [FIRST]


def test_notes_are_text_and_nothing_else(ada, at_ada):
    made = kit(ada, FIRST, title="<b>Kit</b>", notes="<script>1</script>")
    for name in ("kit", "kit_print"):
        text = at_ada.get(at(name, made)).text
        assert "<script>1" not in text
        assert "<b>Kit" not in text


def test_a_late_save_is_told_and_both_are_shown(ada, at_ada):
    made = kit(ada, FIRST)
    late = form(made, notes="Mine.", **{"1-minutes": "4"})
    save(at_ada, made, notes="Theirs.", **{"1-minutes": "9"})
    response = at_ada.post(at("kit", made), late)
    assert response.status_code == 409
    title = library().cards[FIRST].title_text
    for said in (
        "Somebody saved this kit since",
        "Theirs.",
        "Mine.</textarea>",
        f"{title}: L1, L2, L3, L4, 9&nbsp;min",
        f"“{title}” has 4 min, before 9.",
        'name="1-minutes" value="4"',
    ):
        assert said in response.text, said
    assert made.latest.notes == "Theirs."


def test_a_late_move_and_a_late_card_stand_in_the_form_that_comes_back(ada, at_ada):
    made = kit(ada, FIRST, SECOND)
    late = form(made, up="2", add=THIRD)
    save(at_ada, made, notes="Theirs.")
    text = at_ada.post(at("kit", made), late).text
    cards = re.findall(r'name="\d-card_id" value="([\w-]+)"', text)
    assert cards == [SECOND, FIRST, THIRD]


def test_after_both_were_shown_a_save_is_on_top(ada, at_ada):
    made = kit(ada, FIRST)
    late = form(made, notes="Mine.")
    save(at_ada, made, notes="Theirs.")
    text = at_ada.post(at("kit", made), late).text
    [seen] = re.findall(r'name="revision" value="(\d+)"', text)
    at_ada.post(at("kit", made), late | {"revision": seen})
    assert made.latest.notes == "Mine."
