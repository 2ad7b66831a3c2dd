"""The manual: contents with what is planned, sections with their place."""

import pytest

pytestmark = pytest.mark.usefixtures("content")


def test_the_contents_name_all_sections_and_link_the_written_ones(candidate):
    html = candidate.get("/manual/").text
    assert '<a href="/manual/1.1/">What happens</a>' in html
    assert "What comes later" in html
    assert "/manual/1.2/" not in html
    assert "1 of 2 sections written" in html


def test_a_section_says_where_it_stands(candidate):
    html = candidate.get("/manual/1.1/").text
    crumbs = html[
        html.index('class="crumbs"') : html.index(
            "</nav>", html.index('class="crumbs"')
        )
    ]
    assert 'href="/manual/#part-1">Part 1 · Start</a>' in crumbs
    assert '<li aria-current="page">1.1</li>' in crumbs


def test_a_section_links_cards_and_leaves_the_planned_as_text(candidate):
    html = candidate.get("/manual/1.1/").text
    assert '<a href="/cards/two-phases/">the phases</a>' in html
    assert "what comes later (planned)" in html


def test_a_section_lists_the_cards_that_it_teaches(candidate, interviewer):
    html = candidate.get("/manual/1.1/").text
    asked = html[html.index('id="asked"') :]
    assert 'href="/cards/two-phases/">The two phases</a>' in asked


def test_a_section_shows_its_sources(candidate):
    html = candidate.get("/manual/1.1/").text
    assert '<li id="source-v-a-1">' in html


def test_kit_only_cards_are_not_named_to_candidates(candidate):
    assert "Title of secret" not in candidate.get("/manual/1.1/").text


@pytest.mark.parametrize("number", ["1.2", "9.9", "x"])
def test_an_unwritten_section_is_not_there(candidate, number):
    assert candidate.get(f"/manual/{number}/").status_code == 404
