from pathlib import Path

import pytest

from interview.cards.card import Audience
from interview.cards.library import Library
from interview.cards.plain import plain_text
from interview.cards.words import words

GOOD = Path(__file__).parent / "content"
AUTHOR, CANDIDATE = Audience.AUTHOR, Audience.CANDIDATE


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """One card for each line: id, title, question."""
    root = tmp_path_factory.mktemp("content")
    text = (GOOD / "cards" / "basics" / "first-card.md").read_text()
    for card_id, title, question in [
        ("eviction", "KV-cache eviction", "Which block goes first?"),
        ("percentiles", "What p99 hides", "Which tail do users feel, p99 or p50?"),
        ("kernels", "Kernels in C++", "Why `c++` and not Python?"),
        ("drafts", "N-gram speculation", "How does an n-gram draft work?"),
        ("limits", "Two limits", "What is `max_num_seqs`, and how is it set? " * 9),
        ("attention", "Attention kernels", "Which back end runs the attention?"),
    ]:
        card = text.replace("id: first-card", f"id: {card_id}", 1)
        card = card.replace("The two phases of `one` request", title)
        card = card.replace("What does the GPU do?", question)
        path = root / "cards" / f"{card_id}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(card)
    return Library.load([root])


def first(library, text):
    hits = library.search(text, AUTHOR)
    return hits[0].id if hits else None


@pytest.mark.parametrize(
    ("text", "card_id"),
    [
        ("kv-cache", "eviction"),
        ("KVCache", "eviction"),
        ("kv cache", "eviction"),
        ("p99", "percentiles"),
        ("c++", "kernels"),
        ("ngram", "drafts"),
        ("n-gram", "drafts"),
        ("max_num_seqs", "limits"),
        ("num seqs", "limits"),
        ("evictions", "eviction"),
    ],
)
def test_each_spelling_of_a_term_finds_its_card(library, text, card_id):
    assert first(library, text) == card_id


def test_the_last_word_may_be_unfinished(library):
    assert first(library, "specul") == "drafts"
    assert first(library, "specul ") is None


@pytest.mark.parametrize(
    ("text", "card_id"),
    [("evcition", "eviction"), ("spekulation", "drafts"), ("atention x", "attention")],
)
def test_a_typing_error_is_forgiven(library, text, card_id):
    assert first(library, text) == card_id


def test_a_short_word_is_not_guessed(library):
    assert library.search("xyz ", AUTHOR) == []


def test_a_title_counts_more_than_the_text(library):
    hits = [hit.id for hit in library.search("kernels", AUTHOR)]
    assert set(hits) == {"kernels", "attention"}
    assert first(library, "attention") == "attention"


def test_marks_show_where_the_words_are(library):
    (hit,) = library.search("eviction block", AUTHOR)[:1]
    marked = [hit.title.text[start:end] for start, end in hit.title.marks]
    assert marked == ["eviction"]
    marked = [hit.snippet.text[start:end] for start, end in hit.snippet.marks]
    assert marked == ["block"]


def test_a_compound_is_marked_once(library):
    (hit,) = library.search("kv-cache", AUTHOR)[:1]
    assert [hit.title.text[a:b] for a, b in hit.title.marks] == ["KV-cache"]


def test_a_long_text_is_cut_at_words(library):
    (hit,) = library.search("max_num_seqs", AUTHOR)[:1]
    assert len(hit.snippet.text) < 200
    assert hit.snippet.text.endswith(" …")
    assert {hit.snippet.text[a:b] for a, b in hit.snippet.marks} == {"max_num_seqs"}


def test_a_word_of_the_answer_finds_a_card_but_shows_no_answer(library):
    hits = library.search("prefill", AUTHOR)
    assert len(hits) == 6
    assert not any("refill" in hit.snippet.text for hit in hits)


def test_a_hidden_card_is_not_found():
    library = Library.load([GOOD])
    assert "second-card" in [hit.id for hit in library.search("budget", AUTHOR)]
    assert "second-card" not in [hit.id for hit in library.search("budget", CANDIDATE)]


def test_sections_are_found_and_quote_their_numbers():
    library = Library.load([GOOD])
    (hit,) = [h for h in library.search("965", CANDIDATE) if h.kind == "section"]
    assert hit.id == "2.1"
    assert hit.snippet.text == "From 257 ms to 965 ms."


def test_compounds_give_themselves_and_their_parts():
    assert [found.word for found in words("KV-cache blocks")] == [
        "kvcache",
        "kv",
        "cache",
        "block",
    ]


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("## A *b* __c__ `d_e`", "A b c d_e"),
        ("- one\n- two", "one\ntwo"),
        ("see [this](card:x) [V:SCH-1].", "see this."),
        ("![caption](figure:x)", "caption"),
        ("| a | b |\n|---|--:|\n| 1 | 2 |", "a b \n\n 1 2"),
        ("```python\nx = 1\n```", "x = 1"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("### Why? {#why}", "Why?"),
    ],
)
def test_plain_text_has_the_words_only(markdown, plain):
    assert plain_text(markdown) == plain
