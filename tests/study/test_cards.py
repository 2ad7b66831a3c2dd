"""The list of cards: who sees which, filters in the address, search, the empty list."""

import re

import pytest

pytestmark = pytest.mark.usefixtures("content")


def titles(response):
    html = response.content.decode()
    return re.findall(r'entry__title"><a href="/cards/([\w-]+)/', html)


def test_a_candidate_sees_published_cards_only(candidate):
    assert titles(candidate.get("/cards/")) == ["two-phases", "kv-cache"]


def test_an_interviewer_sees_the_others_with_a_badge(interviewer):
    response = interviewer.get("/cards/")
    assert set(titles(response)) == {"two-phases", "kv-cache", "half-done", "secret"}
    for word in ("draft", "kit-only"):
        assert f'<span class="badge badge--quiet">{word}</span>' in response.text


def test_cards_stand_under_their_topics(candidate):
    html = candidate.get("/cards/").text
    order = [html.index(f">{word}</h2>") for word in ("Phases", "Memory")]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("role=product", ["kv-cache"]),
        ("topic=phases", ["two-phases"]),
        ("level=L3", ["two-phases", "kv-cache"]),
        ("level=L2", []),
        ("topic=phases&role=product", []),
        ("topic=no-such-topic", ["two-phases", "kv-cache"]),
    ],
)
def test_the_address_filters(candidate, query, found):
    assert titles(candidate.get(f"/cards/?{query}")) == found


@pytest.mark.parametrize("query", ["topic=<b>no</b>", "topic=<b>no</b>&q=prefill"])
def test_a_word_that_filters_nothing_is_named_with_the_known_ones(candidate, query):
    html = candidate.get(f"/cards/?{query}").text
    assert (
        "There is no topic “&lt;b&gt;no&lt;/b&gt;”. Known: phases, memory. "
        "The list is not filtered by it." in html
    )


@pytest.mark.parametrize("query", ["", "topic=", "topic=memory&role=&level=L2"])
def test_a_known_or_empty_word_needs_no_note(candidate, query):
    assert "There is no" not in candidate.get(f"/cards/?{query}").text


def test_a_level_is_told_apart_from_the_levels_of_the_follow_ups(candidate):
    html = candidate.get("/cards/").text
    assert html.count("<span>most to say at L1, L3</span>") == 2
    assert html.count("Each has follow-ups at every level.") == 1


def test_a_filter_is_a_link_that_keeps_the_others_and_takes_itself_away(candidate):
    html = candidate.get("/cards/?topic=memory&q=question").text
    assert 'href="/cards/?q=question&amp;role=product&amp;topic=memory"' in html
    chosen = re.search(r'href="([^"]+)" aria-current="true">Memory', html)
    assert chosen[1] == "/cards/?q=question"


def test_each_filter_tells_how_many_cards_it_would_leave(candidate):
    html = candidate.get("/cards/?topic=memory").text
    html = html[html.index('id="filters"') :]
    counts = re.findall(
        r">(?:L1 )?(Engine|Product|Phases|Memory|Screen)\b.*?count\">(\d+)", html, re.S
    )
    # Engine would leave none beside the topic, so it is not offered.
    assert counts == [
        ("Product", "1"),
        ("Phases", "1"),
        ("Memory", "1"),
        ("Screen", "1"),
    ]


def test_a_search_finds_cards_and_sections_and_marks_the_words(candidate):
    html = candidate.get("/cards/?q=prefill").text
    assert "<mark>prefill</mark>" in html
    html = candidate.get("/cards/?q=scheduler").text
    assert 'href="/manual/1.1/"' in html
    assert "0 cards of 2 and 1 section for “scheduler”" in html


def test_a_typing_error_still_finds(candidate):
    assert "two-phases" in titles(candidate.get("/cards/?q=preffill"))


def test_a_search_never_shows_a_card_that_is_not_there(candidate):
    assert titles(candidate.get("/cards/?q=secret")) == []


def test_what_is_searched_for_is_escaped(candidate):
    html = candidate.get("/cards/", {"q": "<b>x</b>"}).text
    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_the_form_keeps_the_filters(candidate):
    html = candidate.get("/cards/?topic=memory&level=L1").text
    assert '<input type="hidden" name="topic" value="memory">' in html
    assert '<input type="hidden" name="level" value="L1">' in html


def test_nothing_found_says_how_to_go_on(candidate):
    html = candidate.get("/cards/?q=zzzzzz").text
    assert "No card and no section of the manual matches" in html
    assert "Show all 2 cards" in html


def test_an_empty_content_says_where_cards_come_from(candidate, settings, tmp_path):
    settings.CONTENT_ROOT, settings.CONTENT_PATHS = tmp_path / "none", []
    html = candidate.get("/cards/").text
    assert "There are no cards here yet" in html


def test_typing_swaps_the_found_part_and_the_address(candidate):
    headers = {"HX-Request-Type": "partial"}
    response = candidate.get("/cards/?q=prefill&role=&topic=", headers=headers)
    assert "<html" not in response.text
    assert titles(response) == ["two-phases"]
    assert response["HX-Replace-Url"] == "/cards/?q=prefill"
    assert "HX-Request-Type" in response["Vary"]


def test_the_list_is_read_anew_when_the_files_change(candidate, content, monkeypatch):
    from interview.web.content import keeper

    candidate.get("/cards/")
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    content.card("fresh")
    assert "fresh" in titles(candidate.get("/cards/"))


def test_a_long_list_comes_in_pages_that_keep_the_filters(candidate, content):
    for number in range(52):
        content.card(f"many-{number:02}", topic="memory", role="product")
    first = candidate.get("/cards/?role=product")
    assert len(titles(first)) == 50
    assert "53 cards of 54" in first.text
    assert 'rel="next" href="/cards/?role=product&amp;page=2"' in first.text
    assert 'rel="prev"' not in first.text
    second = candidate.get("/cards/?role=product&page=2")
    assert len(titles(second)) == 3
    assert not set(titles(first)) & set(titles(second))
    assert titles(candidate.get("/cards/?role=product&page=x")) == titles(first)


def test_the_json_twin_has_all_pages(candidate, content):
    for number in range(52):
        content.card(f"many-{number:02}")
    assert candidate.get("/cards.json").json()["count"] == 54
