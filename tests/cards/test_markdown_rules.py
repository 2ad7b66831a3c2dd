"""Markdown in, HTML out: the pairs stand in markdown.md."""

import re
from pathlib import Path

import pytest

from interview.cards.card import Source
from interview.cards.library import Library
from interview.cards.marks import clean
from interview.cards.outline import Passage
from interview.cards.render import Renderer

HERE = Path(__file__).parent
TEXT = (HERE / "markdown.md").read_text()
# Title, Markdown and HTML, each ended by a line with a dot.
PIECES = [piece.strip("\n") for piece in re.split(r"^\.$", TEXT, flags=re.MULTILINE)]
PAIRS = list(zip(PIECES[::3], PIECES[1::3], PIECES[2::3], strict=False))
SOURCES = (
    Source(("V:SCH-1",), "", 1),
    Source((), "A `book`", 2),
    Source(("V:SCH-2",), "the *budget*", 3),
)


def url(kind, name):
    return None if name == "second-card" else f"/{kind}/{name}/"


def draw(figure):
    assert "loads" in figure.results
    return f"<figure>{figure.name}: {figure.caption}</figure>"


@pytest.fixture(scope="module")
def library():
    return Library.load([HERE / "content"])


@pytest.fixture
def renderer(library):
    return Renderer(library, url, draw)


@pytest.mark.parametrize(
    ("markdown", "html"), [pair[1:] for pair in PAIRS], ids=[p[0] for p in PAIRS]
)
def test_markdown_gives_this_html(markdown, html, renderer):
    given = renderer.html(Passage(markdown, 1, 3), level=2, sources=SOURCES)
    assert given.replace("\u00a0", "&nbsp;").strip() == html.strip()


def test_the_pairs_are_complete():
    assert len(PAIRS) > 15
    assert PIECES[3 * len(PAIRS) :] == [""]


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ('<a href="javascript:x">a</a>', "<a>a</a>"),
        ('<a href="http://example.org">a</a>', "<a>a</a>"),
        ("<script>x</script><p>b</p>", "<p>b</p>"),
        ('<p style="color:red" onclick="x">c</p>', "<p>c</p>"),
        ('<img src="https://example.org/x.png">', ""),
        ('<a href="https://example.org">a</a>', '<a href="https://example.org">a</a>'),
    ],
)
def test_the_second_wall_holds_alone(html, left):
    assert clean(html) == left


def test_the_page_says_at_which_level_headings_start(renderer):
    passage = Passage("### Top\n\n#### Below", 1, 3)
    assert "<h4" in renderer.html(passage, level=4)
    assert "<h5" in renderer.html(passage, level=4)
    assert "</h3>" not in renderer.html(passage, level=4)


def test_headings_go_no_deeper_than_six(renderer):
    html = renderer.html(Passage("### Top\n\n#### Below", 1, 3), level=6)
    assert html.count("<h6") == html.count("</h6>") == 2


def test_a_section_lists_the_ids_that_its_page_has(renderer, library):
    section = library.sections["1.1"]
    html = renderer.html(section.body, sources=section.sources)
    assert [heading.title for heading in section.headings] == ["First steps", "Details"]
    for heading in section.headings:
        assert f'id="{heading.id}"' in html


def test_a_title_is_one_line_without_a_paragraph(renderer):
    assert renderer.inline("The `one` *request*") == (
        "The <code>one</code> <em>request</em>"
    )


def test_a_claim_is_rendered_title_and_text(renderer, library):
    experiment = library.experiments["one-request"]
    (claim,) = experiment.claims
    assert renderer.inline(claim.title) == "The <em>wait</em> is long."
    assert renderer.html(claim.why, level=4, sources=experiment.sources).strip() == (
        '<p>It holds the prefill<sup class="source">'
        '<a href="#source-v-sch-1" aria-label="Source 1">1</a></sup>.</p>'
    )


def test_footnotes_have_the_numbers_of_their_marks(renderer):
    first, book, budget = renderer.footnotes(SOURCES)
    assert (first.number, first.anchor) == (1, "source-v-sch-1")
    assert first.says == "The scheduler knows no phases."
    assert first.origin.startswith("v1/core/sched/scheduler.py")
    assert (book.number, book.fact_id) == (2, None)
    assert book.text == "A <code>book</code>"
    assert (budget.number, budget.text) == (3, "the <em>budget</em>")


def test_every_passage_of_the_content_renders(renderer, library):
    for card in library.cards.values():
        for passage in card.passages():
            html = renderer.html(passage, sources=card.sources)
            assert html
            assert "style=" not in html
