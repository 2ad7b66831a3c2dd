"""Scorecard and debrief as files: whole, safe to open, and in the audit."""

import csv
import io
from uuid import uuid4

import pytest
from django.urls import reverse
from markdown_it import MarkdownIt

from interview.bank.models import AuditEntry, Note, Verb
from interview.bank.scorecards.markdown import escaped, quoted
from interview.bank.scorecards.table import COLUMNS
from tests.bank import stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared")]
EVIL = '=HYPERLINK("http://x.example")'
KINDS = ("md", "json", "csv")
LINES = ["# a", "1. a", "12) a", "- a", "+ a", "---", "=", "*a* _b_ `c`", "&lt;", "a\\"]
MARKUP = "# not a title\n| a | b |\n<b>bold</b> *and* [link](http://x.example)"


@pytest.fixture
def panel():
    return [stage.interviewer("Ann"), stage.interviewer("=Ben")]


@pytest.fixture
def interview(panel):
    kit = stage.kit(panel[0], title="@kit")
    made = stage.interview(kit, panel, candidate=EVIL)
    for person, ratings in zip(panel, ([3, None], [0, 2]), strict=True):
        card = stage.score(made, person, ratings)
        Note.objects.write(
            card.in_order()[0],
            uuid4(),
            MARKUP,
            rung_id="",
            at_s=75,
            revision=0,
            now=stage.NOW,
        )
        card.write_summary(MARKUP, 0)
        card.submit(stage.rungs_of(made), stage.NOW)
    return made


def ask(interview, person, name):
    return stage.browser(person).get(reverse(f"bank:{name}", args=[interview.pk]))


def test_the_json_holds_everything_in_its_documented_shape(interview, panel):
    document = ask(interview, panel[0], "debrief_json").json()
    assert (document["format"], document["kind"]) == ("prefill-scorecard/1", "debrief")
    assert document["interview"]["candidate"] == EVIL
    assert document["panel"] == [
        {"name": "=Ben", "state": "submitted"},
        {"name": "Ann", "state": "submitted"},
    ]
    assert [each["position"] for each in document["questions"]] == [1, 2]
    ben, ann = document["scorecards"]
    assert (ben["interviewer"], ann["interviewer"]) == ("=Ben", "Ann")
    assert [each["rating"] for each in ben["scores"]] == [0, 2]
    assert [each["rating"] for each in ann["scores"]] == [3, None]
    assert ann["scores"][1]["not_asked"] is True
    assert ann["levels"] == {"below_l1": 0, "l1": 0, "l2": 0, "l3": 1, "l4": 0}
    assert ann["without_rating"] == 1
    note = ann["scores"][0]["notes"][0]
    assert note == {"at_s": 75, "rung": "", "text": MARKUP}
    assert set(ann["scores"][0]["marks"]) == {
        rung["id"] for rung in document["questions"][0]["rungs"]
    }


def test_one_s_own_file_holds_nothing_of_others(interview, panel):
    document = ask(interview, panel[0], "scorecard_json").json()
    assert [each["interviewer"] for each in document["scorecards"]] == ["Ann"]
    assert "panel" not in document
    for name in ("scorecard_md", "scorecard_csv", "scorecard_print"):
        assert "=Ben" not in ask(interview, panel[0], name).text


def test_the_documentation_names_every_key(interview, panel, settings):
    text = (settings.BASE_DIR / "docs" / "scorecard.md").read_text()

    def keys(value):
        if isinstance(value, dict):
            yield from value
            for each in value.values():
                yield from keys(each)
        elif isinstance(value, list):
            for each in value:
                yield from keys(each)

    document = ask(interview, panel[0], "debrief_json").json()
    for sheet in document["scorecards"]:
        for score in sheet["scores"]:
            score["marks"] = {}
    missing = {key for key in keys(document) if f"`{key}`" not in text}
    assert not missing
    assert all(f"`{column}`" in text for column in COLUMNS)


def test_no_cell_of_the_csv_is_a_formula(interview, panel):
    text = ask(interview, panel[0], "debrief_csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 4
    for row in rows:
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell
    assert rows[0]["candidate"] == f"'{EVIL}"
    assert rows[0]["interviewer"] == "'=Ben"
    assert [row["rating"] for row in rows] == ["0", "2", "3", ""]
    assert [row["level"] for row in rows] == ["below L1", "L2", "L3", "not asked"]


def test_markdown_keeps_what_was_typed_as_text(interview, panel):
    for name in ("scorecard_md", "debrief_md"):
        text = ask(interview, panel[0], name).content.decode()
        html = MarkdownIt("commonmark").enable("table").render(text)
        assert "<h1>not a title" not in html
        assert "<b>" not in html
        assert "<a " not in html
        assert "&lt;b&gt;bold&lt;/b&gt; *and*" in html
        assert "| a | b |" in html


@pytest.mark.parametrize(
    "text",
    ["# a", "1. a", "12) a", "- a", "+ a", "---", "=", "*a* _b_ `c`", "&lt;", "a\\"],
)
def test_a_line_reads_as_it_was_typed(text):
    html = MarkdownIt("commonmark").render(quoted(text))
    shown = text.replace("&", "&amp;")
    assert html == f"<blockquote>\n<p>{shown}</p>\n</blockquote>\n"
    assert MarkdownIt("commonmark").renderInline(escaped(text)) == shown


def test_an_export_is_in_the_audit_and_a_head_is_none(interview, panel):
    exports = AuditEntry.objects.filter(verb=Verb.EXPORTED)
    browser = stage.browser(panel[0])
    names = [f"{what}_{kind}" for what in ("scorecard", "debrief") for kind in KINDS]
    for name in names:
        there = reverse(f"bank:{name}", args=[interview.pk])
        browser.head(there)
        browser.get(there)
    assert exports.count() == len(names)
    own = exports.exclude(object_id=None)
    assert {each.object_id for each in own} == {
        interview.scorecards.get(interviewer=panel[0]).pk
    }
    assert own.count() == 3


def test_a_file_s_name_tells_nothing_of_the_candidate(interview, panel):
    answer = ask(interview, panel[0], "scorecard_json")
    ending = interview.pk.hex[-4:]
    named = f'attachment; filename="interview-{ending}-scorecard.json"'
    assert answer["Content-Disposition"] == named
    assert "no-store" in answer["Cache-Control"]


def test_the_page_to_print_holds_the_whole_scorecard(interview, panel):
    text = ask(interview, panel[0], "scorecard_print").text
    assert "Summary" in text
    assert "1:15" in text
    assert "not a title" in text
