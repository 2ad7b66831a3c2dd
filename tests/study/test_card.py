"""A card's page: complete without JavaScript, answers folded, links and sources."""

import re

import pytest

pytestmark = pytest.mark.usefixtures("content")


@pytest.fixture
def html(candidate):
    return candidate.get("/cards/two-phases/").text


def folded(html):
    """The text inside <details>, and what is left outside."""
    inside = re.findall(r"<details.*?</details>", html, re.S)
    return "".join(inside), re.sub(r"<details.*?</details>", "", html, flags=re.S)


def test_every_answer_is_in_the_page_and_none_is_open(html):
    inside, outside = folded(html)
    answers = [
        "The short answer of two-phases.",
        "The <em>full</em> answer",
        *(f"Expected {n}." for n in ("one", "two", "three", "four")),
        "One is a mean.",
        "Not for everybody.",
        "The budget is one number.",
    ]
    for answer in answers:
        assert answer in inside
        assert answer not in outside
    assert "<details open" not in html
    assert not re.search(r"<details[^>]*\bopen\b", html)


def test_the_question_and_the_follow_ups_stand_open(html):
    _, outside = folded(html)
    assert "What is prefill?" in outside
    rungs = re.findall(r'data-level="(L\d)">(.*?)</p>', outside)
    assert rungs == [
        ("L1", "L1 Screen"),
        ("L2", "L2 Working"),
        ("L3", "L3 Senior"),
        ("L4", "L4 Staff"),
    ]


def test_answers_open_in_the_order_of_an_interview(html):
    assert re.findall(r'data-reveal="([^"]+)"', html) == [
        "the short answer",
        "the full answer",
        "the L1 answer",
        "the L2 answer",
        "the L3 answer",
        "the L4 answer",
        "the wrong answers",
    ]


def test_the_bar_that_needs_javascript_is_hidden_without_it(html):
    assert re.search(r'<section class="next"[^>]* data-reveal-next hidden>', html)


def test_markup_of_the_content_never_becomes_markup_of_the_page(html):
    assert "<b>tag</b>" not in html
    assert "&lt;b&gt;tag&lt;/b&gt;" in html


def test_a_mark_in_the_text_leads_to_its_source(html):
    assert 'href="#source-v-a-1"' in html
    assert 'id="source-v-a-1"' in html
    assert "v1/core/scheduler.py, schedule." in html
    assert "a talk" in html


def test_a_planned_section_is_text_and_a_written_one_a_link(html):
    assert '<a href="/manual/1.1/">1.1 What happens</a>' in html
    assert "1.2 What comes later" in html
    assert "/manual/1.2/" not in html


def test_experiments_lead_to_the_lab(html):
    assert html.count('href="/lab/experiments/one-request/"') == 2


def test_cards_lead_to_those_before_and_after_and_around(candidate, html):
    assert '<a href="/cards/kv-cache/">Title of kv-cache</a>' in html
    assert 'rel="next" href="/cards/kv-cache/"' in html
    other = candidate.get("/cards/kv-cache/").text
    assert "<dt>Know first</dt>" in other
    assert 'rel="prev" href="/cards/two-phases/"' in other


def test_a_figure_that_nothing_draws_leaves_its_caption(html):
    assert "<figcaption>A sentence.</figcaption>" in html


def test_the_head_of_the_card_says_when_and_for_which_engine_it_was_checked(html):
    assert '<time datetime="2026-10-05">5 Oct 2026</time>' in html
    assert "vLLM 0.31.0 · db9527a" in html


@pytest.mark.parametrize("card_id", ["half-done", "secret", "no-such-card"])
@pytest.mark.parametrize("page", ["/cards/{}/", "/cards/{}.json", "/cards/{}/print/"])
def test_a_card_that_is_not_for_candidates_is_not_there(candidate, card_id, page):
    assert candidate.get(page.format(card_id)).status_code == 404


@pytest.mark.parametrize(
    ("card_id", "word"), [("half-done", "draft"), ("secret", "kit-only")]
)
def test_an_interviewer_reads_it_under_a_badge(interviewer, card_id, word):
    response = interviewer.get(f"/cards/{card_id}/")
    assert f'<span class="badge badge--quiet">{word}</span>' in response.text


def test_a_candidate_never_gets_the_page_kept_for_an_interviewer(
    client, candidate, content, settings
):
    from interview.accounts.models import Role, User

    content.card("late", status="draft", needs="two-phases")
    boss = User.objects.create(name="boss", role=Role.OWNER)
    client.force_login(boss)
    assert "Title of late" in client.get("/cards/two-phases/").text
    client.force_login(User.objects.get(name="c"))
    assert "Title of late" not in client.get("/cards/two-phases/").text


def test_a_changed_card_changes_its_page(candidate, content, monkeypatch):
    from interview.web.content import keeper

    assert "What is decode?" not in candidate.get("/cards/two-phases/").text
    content.card("two-phases", question="What is decode?")
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    assert "What is decode?" in candidate.get("/cards/two-phases/").text
