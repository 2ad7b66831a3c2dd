"""The JSON twins: the keys are a contract."""

import pytest

pytestmark = pytest.mark.usefixtures("content")
HEAD = {
    *("id", "title", "url", "json", "roles", "topics", "levels", "competences"),
    *("minutes", "status", "engine", "checked", "edition"),
}
WHOLE = HEAD | {
    *("format", "version", "hash", "needs", "taught_in", "experiments", "question"),
    *("short_answer", "full_answer", "follow_ups", "wrong_answers", "sources"),
}


def test_the_list_has_the_cards_of_the_page(candidate):
    twin = candidate.get("/cards.json?topic=memory").json()
    assert set(twin) == {"format", "edition", "count", "cards"}
    assert twin["format"] == "prefill-cards/1"
    assert twin["edition"] == "2026.10"
    assert twin["count"] == 1
    assert set(twin["cards"][0]) == HEAD
    assert twin["cards"][0]["id"] == "kv-cache"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("level=L9", "There is no level “L9”. Known: L1, L2, L3, L4."),
        (
            "role=chef&topic=soup&level=L1",
            "There is no role “chef”. Known: engine, product. "
            "There is no topic “soup”. Known: phases, memory.",
        ),
        (
            "topic=" + "x" * 999,
            f"There is no topic “{'x' * 60}”. Known: phases, memory.",
        ),
    ],
)
def test_an_unknown_filter_is_refused_with_the_known_ones(candidate, query, sentence):
    response = candidate.get(f"/cards.json?{query}")
    assert response.status_code == 400
    assert response.json() == {"error": sentence}


def test_an_empty_filter_filters_nothing(candidate):
    assert candidate.get("/cards.json?topic=&level=").json()["count"] == 2


def test_the_levels_of_the_list_are_not_those_of_the_follow_ups(candidate):
    twin = candidate.get("/cards/two-phases.json").json()
    assert twin["levels"] == ["L1", "L3"]
    assert [rung["level"] for rung in twin["follow_ups"]] == ["L1", "L2", "L3", "L4"]


def test_the_list_hides_what_the_page_hides(candidate):
    ids = [card["id"] for card in candidate.get("/cards.json").json()["cards"]]
    assert ids == ["two-phases", "kv-cache"]


def test_the_whole_card_is_there_as_markdown_and_html(candidate):
    twin = candidate.get("/cards/two-phases.json").json()
    assert set(twin) == WHOLE
    assert twin["format"] == "prefill-card/1"
    assert twin["checked"] == "2026-10-05"
    assert twin["short_answer"]["markdown"] == "The short answer of two-phases."
    assert twin["short_answer"]["html"] == "<p>The short answer of two-phases.</p>\n"
    assert [rung["level"] for rung in twin["follow_ups"]] == ["L1", "L2", "L3", "L4"]
    assert set(twin["follow_ups"][0]) == {"id", "level", "hash", "question", "answer"}
    assert [w["experiment"] for w in twin["wrong_answers"]] == ["one-request", None]
    assert twin["sources"] == [
        {
            "text": "the first fact",
            "facts": [
                {
                    "id": "V:A-1",
                    "says": "The budget is one number.",
                    "origin": "v1/core/scheduler.py, schedule.",
                }
            ],
        },
        {"text": "a talk", "facts": []},
    ]


def test_the_links_of_the_list_lead_to_the_card(candidate):
    for card in candidate.get("/cards.json").json()["cards"]:
        assert candidate.get(card["url"]).status_code == 200
        assert candidate.get(card["json"]).json()["id"] == card["id"]
