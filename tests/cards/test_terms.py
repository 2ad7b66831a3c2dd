"""The glossary: which uses of a term become links, and what the linter asks of it."""

import re
import shutil
from pathlib import Path

import pytest

from interview.cards.check import check
from interview.cards.library import Library
from interview.cards.outline import Passage
from interview.cards.render import Renderer

GOOD = Path(__file__).parent / "content"
TERMS = """
plain = ["HTTP"]

[kv-cache]
title = "KV cache"
says = "Keys and values that are kept."
forms = ["KV cache", "KV"]
see = "manual:1.1"

[prefill]
title = "Prefill"
says = "Reading the prompt."
forms = ["prefill"]
see = "manual:1.1"
"""


@pytest.fixture
def content(tmp_path):
    root = Path(shutil.copytree(GOOD, tmp_path / "content"))
    (root / "terms.toml").write_text(TERMS)
    return root


@pytest.fixture
def html(content):
    library = Library.load([content])
    renderer = Renderer(library, lambda kind, name: f"/{kind}/{name}/", str)
    return lambda text: renderer.html(Passage(text, 1, 3), terms=True)


def linked(html):
    return re.findall(r'<a href="/term/([\w-]+)/" class="term">(.+?)</a>', html)


def terms_of(content):
    return [p.rule.code for p in check([content]) if p.path.endswith("terms.toml")]


def test_the_first_use_of_a_term_is_a_link_and_no_other(html):
    given = html("Prefill fills the KV cache. More prefill, more KV.")
    assert linked(given) == [("prefill", "Prefill"), ("kv-cache", "KV cache")]


def test_a_term_inside_a_word_or_in_code_is_none(html):
    assert linked(html("prefilled, pre-prefill and `KV cache`")) == []


def test_headings_and_links_stay_as_they_are(html):
    given = html("### Prefill\n\n[prefill](card:first-card) and prefill")
    assert linked(given) == [("prefill", "prefill")]
    assert given.index("/card/first-card/") < given.index("/term/prefill/")


def test_nothing_is_linked_unless_it_is_asked(content):
    library = Library.load([content])
    renderer = Renderer(library, lambda kind, name: f"/{kind}/{name}/", str)
    assert linked(renderer.html(Passage("prefill", 1, 3))) == []


def test_a_term_must_lead_to_a_card_or_a_written_section(content):
    assert terms_of(content) == []
    path = content / "terms.toml"
    path.write_text(TERMS.replace('"manual:1.1"', '"manual:9.9"', 1))
    assert terms_of(content) == ["C213"]


def test_an_abbreviation_needs_an_entry_and_is_noted_once(content):
    path = content / "manual" / "1-start" / "1.1-begin-here.md"
    path.write_text(path.read_text().replace("Text.", "ZQX over HTTP, ZQX with KV."))
    found = [p for p in check([content]) if p.rule.code == "C212"]
    assert [str(p).count("ZQX") for p in found if "1.1" in p.path] == [1]


def test_without_a_glossary_no_abbreviation_is_noted(content):
    (content / "terms.toml").unlink()
    assert not [p for p in check([content]) if p.rule.code == "C212"]
