"""What a control is called aloud holds what is written on it (WCAG 2.5.3)."""

import re

import pytest

from tests.live_site import ROOT

TEMPLATES = ROOT / "templates"
NAMED = re.compile(
    r'<(?P<tag>button|a|summary)\b[^<]*?\saria-label="(?P<said>[^"]*)"[^<]*?>'
    r"(?P<seen>[^<]*)</(?P=tag)>"
)
FILES = [file for file in TEMPLATES.rglob("*.html") if NAMED.search(file.read_text())]


def words(text):
    """Without what a template puts in, in one case."""
    text = re.sub(r"{%.*?%}|{{.*?}}", " ", text)
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_name_read_aloud_holds_the_words_that_are_seen(file):
    for found in NAMED.finditer(file.read_text()):
        assert words(found["seen"]) in words(found["said"]), found[0]
