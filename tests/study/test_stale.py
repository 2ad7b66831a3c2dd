"""A card whose file broke: its last good version, with a note for those who mend it."""

import pytest

pytestmark = pytest.mark.usefixtures("broken_later")
NOTE = "This card's file has an error; the last good version is shown"


@pytest.fixture
def broken_later(content, monkeypatch):
    """The file of a published card breaks after it was read."""
    from interview.web.content import keeper, library

    good = library().cards["kv-cache"]
    content.card("kv-cache", status="brilliant")
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    assert library().cards["kv-cache"] is good


@pytest.mark.parametrize("page", ["/cards/", "/cards/?q=kv-cache", "/cards/kv-cache/"])
def test_an_interviewer_reads_where_the_error_is(interviewer, content, page):
    html = interviewer.get(page).text
    file = content.public / "cards/any/kv-cache.md"
    assert html.count(NOTE) == 1
    assert f"<code>{file}:8: “status” is “brilliant”" in html
    assert "Title of <mark>kv-cache</mark>" in html or "Title of kv-cache" in html


@pytest.mark.parametrize("page", ["/cards/", "/cards/kv-cache/"])
def test_a_candidate_reads_the_last_good_version_alone(candidate, page):
    html = candidate.get(page).text
    assert "Title of kv-cache" in html
    assert NOTE not in html
    assert "brilliant" not in html


def test_a_card_whose_file_is_good_has_no_note(interviewer):
    assert NOTE not in interviewer.get("/cards/two-phases/").text


def test_the_note_goes_when_the_file_is_mended(interviewer, content, monkeypatch):
    from interview.web.content import keeper

    assert NOTE in interviewer.get("/cards/kv-cache/").text
    content.card("kv-cache", title="Mended")
    roots = (content.public, content.private)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    html = interviewer.get("/cards/kv-cache/").text
    assert NOTE not in html
    assert "Mended" in html


def test_a_file_in_the_project_is_named_from_its_root(settings, content):
    from interview.cards.card import Audience
    from interview.web.content import library
    from interview.web.stale import stale_note

    settings.BASE_DIR = content.public.parent
    note = stale_note(library().cards["kv-cache"], library(), Audience.AUTHOR)
    assert note.startswith("public/cards/any/kv-cache.md:8: ")
