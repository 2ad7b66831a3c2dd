"""Content as the pages see it: one library, links that lead somewhere."""

from interview.cards.render import Figure
from interview.web.content import library
from interview.web.rendering import address_in, draw, renderer


def test_a_process_has_one_library_and_one_renderer():
    assert library() is library()
    assert renderer() is renderer()


def test_content_links_lead_to_pages():
    address = address_in(library())
    assert (
        address("card", "two-phases-of-a-request") == "/cards/two-phases-of-a-request/"
    )
    assert address("manual", "1.3") == "/manual/1.3/"
    assert address("experiment", "one-request") == "/lab/experiments/one-request/"


def test_a_card_that_candidates_cannot_open_is_no_link():
    from dataclasses import replace

    from interview.cards.card import Status

    content = library()
    card = content.cards["two-phases-of-a-request"]
    hidden = replace(card, status=Status.KIT_ONLY)
    content = replace(content, cards={card.id: hidden})
    assert address_in(content)("card", card.id) is None


def test_a_figure_is_drawn_from_its_result():
    html = draw(Figure("two-loads", "A <em>caption</em>", library().results))
    assert "<svg" in html
    assert "A <em>caption</em>" in html
    assert "243.8" in html


def test_an_unknown_figure_leaves_its_caption():
    html = draw(Figure("no-such", "A <em>caption</em>", {}))
    assert html == "<figure><figcaption>A <em>caption</em></figcaption></figure>"
