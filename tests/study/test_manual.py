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


@pytest.mark.parametrize("number", ["9.9", "x"])
def test_a_section_that_the_contents_do_not_have_is_not_there(candidate, number):
    response = candidate.get(f"/manual/{number}/")
    assert response.status_code == 404
    assert "planned" not in response.text


def test_a_planned_section_says_what_it_will_hold_and_who_leans_on_it(candidate):
    response = candidate.get("/manual/1.2/")
    assert response.status_code == 404
    html = response.text
    assert '<span class="badge badge--quiet">planned</span>' in html
    assert "<p>Nothing yet.</p>" in html
    assert 'href="/manual/#part-1">Part 1 · Start</a>' in html
    asked = html[html.index('id="asked"') :]
    assert '<a href="/cards/kv-cache/">Title of kv-cache</a>' in asked
    assert 'rel="prev" href="/manual/1.1/"' in asked
    assert 'rel="next"' not in asked


def test_a_planned_section_names_no_card_that_candidates_do_not_see(candidate):
    assert "Title of secret" not in candidate.get("/manual/1.2/").text


def test_a_planned_section_that_no_card_names_says_so(candidate, content):
    contents = (content.public / "manual/contents.toml").read_text()
    section = contents[contents.rindex("[[part.section]]") :]
    more = contents + section.replace("1.2", "1.3")
    content.write("manual/contents.toml", more)
    assert "<p>None yet.</p>" in candidate.get("/manual/1.3/").text
