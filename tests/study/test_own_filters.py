"""The list of cards by one's own state: in the address, combined, counted."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import User
from interview.cards.vocabulary import Vocabulary
from interview.study.filters import Filters
from interview.study.models import CardMark, Item, Plan
from interview.study.own.states import STATES, own_cards
from interview.web.content import library

pytestmark = pytest.mark.usefixtures("content", "db")


@pytest.fixture
def person(candidate):
    return User.objects.get(name="c")


@pytest.fixture
def practised(person):
    """kv-cache flagged, noted and due; two-phases suspended, due and missed."""
    now = timezone.now()
    CardMark.objects.create(
        user=person, card_id="kv-cache", is_flagged=True, note="look"
    )
    CardMark.objects.create(user=person, card_id="two-phases", is_suspended=True)
    item = {"user": person, "natural_due_at": now, "due_at": now, "reviews": 1}
    Item.objects.create(**item, card_id="kv-cache", last_grade="solid")
    Item.objects.create(**item, card_id="two-phases", last_grade="solid")
    Item.objects.create(
        **item, card_id="two-phases", rung_id="first", last_grade="missed"
    )
    return person


def titles(response):
    return re.findall(r'entry__title"><a href="/cards/([\w-]+)/', response.text)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("mine=flagged", ["kv-cache"]),
        ("mine=noted", ["kv-cache"]),
        ("mine=suspended", ["two-phases"]),
        ("mine=weak", ["two-phases"]),
        # A suspended card isn't asked, so it isn't due.
        ("mine=due", ["kv-cache"]),
        ("mine=new", ["fresh"]),
        ("mine=flagged,due", ["kv-cache"]),
        ("mine=flagged,suspended", []),
        ("mine=weak&topic=memory", []),
        ("mine=flagged&q=kv", ["kv-cache"]),
        ("mine=nonsense", ["fresh", "two-phases", "kv-cache"]),
    ],
)
def test_the_address_filters_by_state(candidate, content, practised, query, found):
    content.card("fresh")
    assert titles(candidate.get(f"/cards/?{query}")) == found


def test_each_state_has_a_count_and_a_link_that_keeps_the_rest(candidate, practised):
    html = candidate.get("/cards/?topic=memory&mine=flagged").text
    side = html[html.index('id="by-mine"') : html.index('id="by-role"')]
    lines = re.findall(r'href="([^"]+)"[^>]*>([\w ]+)<.*?count">(\d+)', side)
    assert lines == [
        ("/cards/?topic=memory&amp;mine=due,flagged", "Due today", "1"),
        ("/cards/?topic=memory", "Flagged", "1"),
        ("/cards/?topic=memory&amp;mine=flagged,noted", "With a note", "1"),
    ]


def test_other_filters_and_the_form_keep_the_state(candidate, practised):
    html = candidate.get("/cards/?mine=due,flagged").text
    assert 'href="/cards/?role=product&amp;mine=due,flagged"' in html
    assert '<input type="hidden" name="mine" value="due,flagged">' in html
    typed = candidate.get(
        "/cards/?q=kv&mine=flagged,due", headers={"HX-Request-Type": "partial"}
    )
    assert typed["HX-Replace-Url"] == "/cards/?q=kv&mine=due,flagged"


def test_a_card_in_the_list_says_what_is_kept_to_it(candidate, practised):
    html = candidate.get("/cards/").text
    marks = re.findall(r'entry__mark">([\w ]+)', html)
    assert marks == ["suspended", "flagged", "your note"]


def test_a_state_that_nobody_knows_is_named(candidate):
    html = candidate.get("/cards/?mine=flagged,<i>").text
    assert "There is no state of yours “&lt;i&gt;”. Known: due, flagged, noted" in html


@pytest.mark.parametrize("mine", ["flagged", "nonsense"])
def test_the_json_list_refuses_what_it_does_not_filter_by(candidate, mine):
    response = candidate.get(f"/cards.json?mine={mine}")
    assert response.status_code == 400
    assert "“mine” filters the page of cards only" in response.json()["error"]


def test_a_pick_by_state_needs_to_know_whose():
    filters = Filters.read({"mine": "due"}, Vocabulary())
    with pytest.raises(ValueError, match="by whose cards"):
        filters.pick([])


def test_what_lies_above_the_goal_is_not_due(practised):
    now = timezone.now()
    CardMark.objects.filter(user=practised).delete()
    Item.objects.filter(card_id="two-phases", rung_id="").delete()
    assert "two-phases" in own_cards(practised, library(), now)["due"]
    Item.objects.filter(rung_id="first").update(rung_id="fourth")
    Plan.objects.create(user=practised, level="L3")
    assert own_cards(practised, library(), now)["due"] == {"kv-cache"}


def test_a_filtered_list_leads_to_its_practice(candidate, practised):
    html = candidate.get("/cards/?mine=flagged").text
    assert 'href="/practice/?mine=flagged">Practise this card</a>' in html
    assert "1 card: flagged." in candidate.get("/practice/?mine=flagged").text
    assert (
        "1 card: Title of kv-cache." in candidate.get("/practice/?card=kv-cache").text
    )
    assert 'href="/practice/?list=all"' in candidate.get("/cards/").text


def test_nothing_is_due_after_an_interview(practised):
    now = datetime.now(UTC)
    past = (now - timedelta(days=2)).date()
    Plan.objects.create(user=practised, interview_on=past)
    assert own_cards(practised, library(), now)["due"] == set()


def test_another_person_s_states_are_not_mine(practised):
    other = User.objects.create(name="other", password="!")
    found = own_cards(other, library(), timezone.now())
    assert {state: set(ids) for state, ids in found.items()} == {
        **{state: set() for state in STATES},
        "new": set(library().cards),
    }


def test_queries_do_not_grow_with_cards_or_reviews(
    candidate, practised, django_assert_num_queries, django_assert_max_num_queries
):
    with django_assert_max_num_queries(10) as few:
        candidate.get("/cards/?mine=due")
    now = timezone.now()
    Item.objects.bulk_create(
        Item(user=practised, card_id=f"c{n}", natural_due_at=now, due_at=now)
        for n in range(300)
    )
    CardMark.objects.bulk_create(
        CardMark(user=practised, card_id=f"c{n}", is_flagged=True) for n in range(300)
    )
    with django_assert_num_queries(len(few)):
        candidate.get("/cards/?mine=due")
