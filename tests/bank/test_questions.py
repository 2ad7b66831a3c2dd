"""The bank's list: filters in the address, search, order, how each card fared."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from interview.bank.models import CardState
from tests.bank import stage

pytestmark = pytest.mark.usefixtures("shared", "content")
ALL = ["two-phases", "half-done", "secret", "kv-cache"]


@pytest.fixture
def ida():
    return stage.interviewer("Ida")


def ids(client, query=""):
    html = client.get(f"/bank/{query}").text
    return re.findall(r'entry__title"><a href="/bank/cards/([\w-]+)/', html)


def asked(ida, *card_ids, days_ago=0):
    """An interview in which each of the cards was put."""
    kit = stage.kit(ida, *card_ids)
    held = stage.interview(kit, [ida])
    for each in held.in_order():
        held.put(each, "", timezone.now() - timedelta(days=days_ago))
    return held


def test_cards_of_every_status_are_there_and_only_others_than_published_say_so(ida):
    client = stage.browser(ida)
    assert sorted(ids(client)) == sorted(ALL)
    html = client.get("/bank/").text
    assert "<span>published</span>" not in html
    assert html.count('<span class="badge badge--quiet">') == len(ALL) - 2
    for word in ("draft", "kit-only"):
        assert f'<span class="badge badge--quiet">{word}</span>' in html


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?role=product", ["kv-cache"]),
        ("?topic=memory", ["kv-cache"]),
        ("?level=L2", []),
        ("?level=L3", ALL),
        ("?competence=metrics", ALL),
        ("?minutes=6", ALL),
        ("?status=published", ["two-phases", "kv-cache"]),
        ("?status=kit-only", ["secret"]),
        ("?status=draft&topic=memory", []),
        ("?status=broken", []),
        ("?leak=no", ALL),
        ("?leak=yes", []),
        ("?role=no-such-role&minutes=5", ALL),
    ],
)
def test_the_address_filters(ida, query, found):
    assert sorted(ids(stage.browser(ida), query)) == sorted(found)


def test_cards_that_take_longer_are_left_out(ida, content):
    content.card("long")
    file = content.public / "cards/any/long.md"
    file.write_text(file.read_text().replace("minutes: 6", "minutes: 12"))
    assert "long" not in ids(stage.browser(ida), "?minutes=6")
    assert "long" in ids(stage.browser(ida), "?minutes=12")


def test_a_leaked_card_is_marked_and_found(ida):
    CardState.objects.flag_leak("kv-cache", ida, "Seen on a forum.", stage.NOW)
    client = stage.browser(ida)
    assert ids(client, "?leak=yes") == ["kv-cache"]
    assert "kv-cache" not in ids(client, "?leak=no")
    assert client.get("/bank/").text.count(">leaked</span>") == 1


def test_what_was_not_asked_for_long_is_found_with_what_never_was(ida):
    asked(ida, "two-phases", days_ago=40)
    asked(ida, "kv-cache", days_ago=5)
    client, never = stage.browser(ida), ["half-done", "secret"]
    assert sorted(ids(client, "?asked=never")) == never
    assert sorted(ids(client, "?asked=30")) == [*never, "two-phases"]
    assert sorted(ids(client, "?asked=90")) == never


def test_a_question_that_was_planned_and_not_put_was_not_asked(ida):
    stage.interview(stage.kit(ida, "kv-cache"), [ida])
    assert "kv-cache" in ids(stage.browser(ida), "?asked=never")


def test_the_address_orders(ida):
    asked(ida, "two-phases", days_ago=40)
    asked(ida, "kv-cache", "two-phases", days_ago=5)
    asked(ida, "secret", days_ago=9)
    asked(ida, "kv-cache", days_ago=3)
    asked(ida, "kv-cache", days_ago=20)
    client = stage.browser(ida)
    assert ids(client, "?order=times")[:2] == ["kv-cache", "two-phases"]
    assert ids(client, "?order=last") == [
        "half-done",
        "secret",
        "two-phases",
        "kv-cache",
    ]


def test_the_shortest_come_first_when_that_is_the_order(ida, content):
    file = content.public / "cards/any/kv-cache.md"
    file.write_text(file.read_text().replace("minutes: 6", "minutes: 2"))
    client = stage.browser(ida)
    assert ids(client)[0] != "kv-cache"
    assert ids(client, "?order=minutes")[0] == "kv-cache"


def test_a_search_finds_the_best_match_and_marks_it(ida):
    client = stage.browser(ida)
    assert ids(client, "?q=prefill")[0] == "two-phases"
    assert "<mark>prefill</mark>" in client.get("/bank/?q=prefill").text
    assert ids(client, "?q=prefill&status=kit-only") == []


def test_a_line_says_how_often_when_and_with_which_ratings(ida):
    held = asked(ida, "two-phases", days_ago=5)
    stage.submit(held, ida, [3])
    html = stage.browser(ida).get("/bank/?topic=phases&asked=").text
    assert "1 time, last <time" in html
    assert '<span class="spread__words">1 at L3</span>' in html
    assert '<span class="spread__words">no ratings yet</span>' in html


def test_nothing_found_says_how_to_go_on(ida):
    html = stage.browser(ida).get("/bank/?q=zzzzzz").text
    assert "No question matches. Try fewer filters or other words." in html
    assert "Show all 4 questions" in html


def test_choosing_swaps_the_found_part_and_the_address(ida):
    response = stage.browser(ida).get(
        "/bank/?q=&role=product&status=", headers={"HX-Request-Type": "partial"}
    )
    assert "<html" not in response.text
    assert response["HX-Replace-Url"] == "/bank/?role=product"
    assert "HX-Request-Type" in response["Vary"]


def test_the_form_keeps_what_is_chosen(ida):
    html = stage.browser(ida).get("/bank/?q=a+word&status=draft").text
    assert '<option value="draft" selected>Draft</option>' in html
    assert 'value="a word"' in html


def test_a_card_whose_file_broke_is_found_and_says_where(ida, content, monkeypatch):
    from interview.web.content import keeper, library

    library()
    content.card("kv-cache", status="brilliant")
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    client = stage.browser(ida)
    assert ids(client, "?status=broken") == ["kv-cache"]
    assert "the last good version is shown" in client.get("/bank/").text


def test_a_long_list_comes_in_pages_that_keep_the_filters(ida, content):
    for number in range(52):
        content.card(f"many-{number:02}", topic="memory")
    client = stage.browser(ida)
    assert len(ids(client, "?topic=memory")) == 50
    assert (
        'href="/bank/?topic=memory&amp;page=2"'
        in client.get("/bank/?topic=memory").text
    )
    assert len(ids(client, "?topic=memory&page=2")) == 3


def test_the_list_asks_the_database_as_often_for_many_as_for_one(
    ida, django_assert_num_queries, content
):
    client = stage.browser(ida)
    for number in range(30):
        content.card(f"many-{number:02}")
    asked(ida, "two-phases")
    with django_assert_num_queries(9):
        client.get("/bank/")
    for number in range(5):
        stage.submit(asked(ida, f"many-{number:02}", "kv-cache"), ida, [1, 2])
    with django_assert_num_queries(9):
        client.get("/bank/")
