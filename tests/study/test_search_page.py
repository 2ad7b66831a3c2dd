"""The search over cards, manual, own notes and own attempts."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.study.item_name import SPOT_THE_FLAW
from interview.study.models import Attempt, CardMark
from interview.study.own.texts import LOOKED_AT

pytestmark = pytest.mark.usefixtures("content", "db")


@pytest.fixture
def person(candidate):
    return User.objects.get(name="c")


@pytest.fixture
def other(person):
    return User.objects.create(name="other", role=Role.CANDIDATE, password="!")


def note(person, card_id, text):
    now = timezone.now()
    CardMark.objects.create(user=person, card_id=card_id, note=text, noted_at=now)


def attempt(person, text, *, card_id="two-phases", rung_id="", days_ago=0):
    at = timezone.now() - timedelta(days=days_ago)
    Attempt.objects.create(
        user=person, card_id=card_id, rung_id=rung_id, text=text, at=at
    )


def found(client, q):
    """Group id -> the texts of its lines."""
    html = client.get("/search/", {"q": q}).text
    parts = re.split(r'<h2 class="finder__topic" id="in-(\w+)">', html)[1:]
    return {
        name: re.findall(r'entry__text">(.*?)</p>', part, re.DOTALL)
        for name, part in zip(parts[::2], parts[1::2], strict=True)
    }


def test_what_was_typed_in_the_drill_of_flaws_is_named(candidate, person):
    attempt(person, "It is a mean.", rung_id=SPOT_THE_FLAW)
    html = candidate.get("/search/?q=mean").text
    assert "<span>Spot the flaw</span>" in html
    assert f"#of-{SPOT_THE_FLAW}" in html


def test_all_four_kinds_are_found_and_grouped(candidate, person, content):
    section = content.public / "manual/1-start/1.1.md"
    section.write_text(section.read_text().replace("scheduler", "prefill scheduler"))
    note(person, "kv-cache", "compare with prefill")
    attempt(person, "Prefill reads the prompt.", rung_id="second")
    groups = found(candidate, "prefill")
    assert list(groups) == ["cards", "sections", "notes", "attempts"]
    assert groups["cards"] == ["What is <mark>prefill</mark>?"]
    assert groups["notes"] == ["compare with <mark>prefill</mark>"]
    assert groups["attempts"] == ["<mark>Prefill</mark> reads the prompt."]
    html = candidate.get("/search/?q=prefill").text
    assert "1 card, 1 section, 1 note, 1 attempt for “prefill”" in html
    assert "<span>L2</span>" in html
    assert '<a href="/progress/two-phases/#of-second">The two phases</a>' in html
    assert 'id="of-second"' in candidate.get("/progress/two-phases/").text


def test_content_is_found_past_a_typing_error_and_no_answer_is_shown(candidate):
    assert found(candidate, "preffill")["cards"] == ["What is <mark>prefill</mark>?"]
    # "Expected" stands in answers only: the card is found, by its question's line.
    (shown,) = {*found(candidate, "expected")["cards"]} & {"What is prefill?"}
    assert shown


@pytest.mark.parametrize("q", ["sched", "SCHED", "hedul", "budget sched", "ler."])
def test_own_words_are_found_by_their_beginning_and_inside(candidate, person, q):
    attempt(person, "The Scheduler.\nIt has one budget.")
    assert len(found(candidate, q)["attempts"]) == 1


@pytest.mark.parametrize("q", ["sched nothing", "s_hed", "%", "sch%d", "\\"])
def test_each_word_must_be_there_and_signs_mean_themselves(candidate, person, q):
    attempt(person, "The scheduler has a budget")
    assert "attempts" not in found(candidate, q)


def test_letters_beyond_ascii_are_found_in_either_case(candidate, person):
    attempt(person, "Über den Daumen")
    for q in ("über", "ÜBER", "Über"):
        (shown,) = found(candidate, q)["attempts"]
        assert shown.startswith("<mark>Über</mark>")


def test_what_was_written_is_escaped_and_marked(candidate, person):
    note(person, "two-phases", "<script>alert(1)</script> & <b>budget</b>")
    html = candidate.get("/search/?q=<b>").text
    assert "<script>alert" not in html
    assert "<mark>&lt;b&gt;</mark>budget" in html


def test_a_beginning_comes_before_an_inside_and_the_newest_first(candidate, person):
    attempt(person, "undecoded", days_ago=0)
    attempt(person, "decode old", days_ago=9)
    attempt(person, "decode new", days_ago=1)
    texts = [
        re.sub("</?mark>", "", text) for text in found(candidate, "dec")["attempts"]
    ]
    assert texts == ["decode new", "decode old", "undecoded"]


def test_a_long_text_is_cut_around_the_match(candidate, person):
    attempt(person, "word " * 200 + "needle " + "word " * 200)
    (text,) = found(candidate, "needle")["attempts"]
    assert "<mark>needle</mark>" in text
    assert text.startswith("… word")
    assert len(text) < 220


def test_more_than_are_shown_is_said(candidate, person):
    for number in range(12):
        attempt(person, f"zebra {number}")
    html = candidate.get("/search/?q=zebra").text
    assert "10 attempts and more for “zebra”" in html
    assert "A further word narrows them." in html


def test_the_best_of_the_newest_are_looked_at_only(candidate, person):
    now = timezone.now()
    Attempt.objects.bulk_create(
        Attempt(
            user=person, card_id="kv-cache", text="inzebra", at=now - timedelta(days=n)
        )
        for n in range(LOOKED_AT)
    )
    attempt(person, "zebra", days_ago=1000)
    assert "<mark>zebra</mark>" not in found(candidate, "zebra")["attempts"]


@pytest.mark.parametrize("role", [Role.OWNER, Role.INTERVIEWER, Role.CANDIDATE])
def test_texts_of_other_people_are_never_found(candidate, person, other, role):
    note(other, "two-phases", "zebra note")
    attempt(other, "zebra attempt")
    User.objects.filter(pk=person.pk).update(role=role)
    assert found(candidate, "zebra") == {}
    assert "Nothing for “zebra”" in candidate.get("/search/?q=zebra").text


def test_the_title_of_a_card_that_is_not_there_stays_hidden(candidate, person):
    attempt(person, "zebra", card_id="secret")
    html = candidate.get("/search/?q=zebra").text
    assert "Title of secret" not in html
    assert candidate.get("/progress/secret/").status_code == 200
    assert "/cards/secret/" not in candidate.get("/search/?q=title+secret").text


def test_an_empty_search_says_what_can_be_found(candidate):
    for q in ("", "   "):
        html = candidate.get("/search/", {"q": q}).text
        assert "Your notes and attempts are found by you alone." in html


@pytest.mark.parametrize("q", ["\0", "x" * 500, "a " * 300, "(", "[", "ſ", "İ"])
def test_whatever_is_typed_is_answered(candidate, person, q):
    attempt(person, "İstanbul (a) [b] ſ " + "x" * 500)
    assert candidate.get("/search/", {"q": q}).status_code == 200


def test_typing_swaps_the_found_part_and_the_address(candidate):
    headers = {"HX-Request-Type": "partial"}
    response = candidate.get("/search/?q=two+phases&x=", headers=headers)
    assert "<html" not in response.text
    assert response["HX-Replace-Url"] == "/search/?q=two+phases"
    assert "no-store" in response["Cache-Control"]


def test_every_page_leads_to_the_search_and_a_guest_s_does_not(candidate, client):
    for at in ("/", "/cards/", "/cards/two-phases/", "/manual/1.1/"):
        assert 'href="/search/" data-press="/"' in re.sub(
            ' aria-current="[a-z]+"', "", candidate.get(at).text
        )


def test_queries_do_not_grow_with_what_is_found(
    candidate, person, django_assert_num_queries, django_assert_max_num_queries
):
    attempt(person, "zebra")
    with django_assert_max_num_queries(8) as few:
        candidate.get("/search/?q=zebra")
    for number in range(30):
        attempt(person, "zebra", card_id=f"card-{number}")
        note(person, f"card-{number}", "zebra")
    with django_assert_num_queries(len(few)):
        candidate.get("/search/?q=zebra")
