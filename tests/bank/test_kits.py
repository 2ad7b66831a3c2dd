"""The pages of kits: the list, the form that edits one, versions, print, void."""

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from interview.accounts.models import Role
from interview.bank.kits.drawing import drawn_lines
from interview.bank.models import CardState, Kit
from interview.cards.draw import Wish
from interview.web.content import library
from tests.bank.stage import (
    FIRST,
    NOW,
    SECOND,
    THIRD,
    browser,
    interview,
    interviewer,
    kit,
    line,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(settings):
    """On an installation where people sign in."""
    settings.PREFILL_MODE = "shared"
    return interviewer("ada")


@pytest.fixture
def at_ada(ada):
    return browser(ada)


def at(name, kit, *more):
    return reverse(f"bank:{name}", args=[kit.pk, *more])


def form(kit, **changed):
    """What the page of the kit's newest version would send."""
    version, sent = kit.latest, {}
    questions = list(version.in_order())
    for each in questions:
        row = str(each.position)
        sent |= {
            f"{row}-card_id": each.card_id,
            f"{row}-place": each.position,
            f"{row}-rungs": each.rungs_named,
            f"{row}-minutes": each.minutes,
            f"{row}-notes": each.notes,
        }
    frame = {
        "row": [str(each.position) for each in questions],
        "title": kit.title,
        "title_was": kit.title,
        "role": version.role,
        "level": version.level,
        "notes": version.notes,
        "number": version.number,
        "revision": version.revision,
        "find": "",
    }
    return sent | frame | changed


def save(client, kit, **changed):
    return client.post(at("kit", kit), form(kit, **changed))


def ids(version):
    return [each.card_id for each in version.in_order()]


def new_kit(client, **given):
    sent = {"key": uuid.uuid4(), "title": "Screen", "role": "", "level": "L3"}
    return client.post("/bank/kits/", sent | {"chance": 5, "minutes": ""} | given)


# The list.


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


# A new kit.


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


# The form.


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


# Two tabs, two versions.


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


def test_after_both_were_shown_a_save_is_on_top(ada, at_ada):
    made = kit(ada, FIRST)
    late = form(made, notes="Mine.")
    save(at_ada, made, notes="Theirs.")
    text = at_ada.post(at("kit", made), late).text
    [seen] = re.findall(r'name="revision" value="(\d+)"', text)
    at_ada.post(at("kit", made), late | {"revision": seen})
    assert made.latest.notes == "Mine."


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


# Beside the form.


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


def draw(made, **changed):
    version = made.latest
    sent = {
        "role": "",
        "level": "L3",
        "minutes": "45",
        "seed": "",
        "chance": "7",
        "number": version.number,
        "revision": version.revision,
    }
    return {f"draw-{name}": value for name, value in (sent | changed).items()}


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


def void(client, made, **changed):
    sent = {"number": 1, "position": 1, "void": "1", "reason": "It was wrong."}
    return client.post(at("kit_void", made), sent | changed)


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


# On paper.


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
