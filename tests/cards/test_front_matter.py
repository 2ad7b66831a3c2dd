import pytest

from interview.cards.cardfile import read_card
from interview.cards.form import Form
from interview.cards.frontmatter import read
from interview.cards.outline import attributes, headings, parts
from interview.cards.problem import Notes
from interview.cards.shelf import fill


def codes(notes):
    return [problem.rule.code for problem in notes.problems]


def read_form(yaml):
    notes = Notes("x.md")
    return Form(read(f"---\n{yaml}\n---\nbody\n", notes), notes), notes


def test_values_stay_text():
    form, notes = read_form("edition: 2026.10\nminutes: 007\nwords: [no, 1e3, ~]")
    assert form.edition("edition") == "2026.10"
    assert form.whole("minutes", 1, 10) == 7
    assert form.words("words") == ("no", "1e3", "~")
    assert not notes.problems


def test_the_body_keeps_its_line_numbers():
    document = read("---\na: b\n---\nfirst\n", Notes("x.md"))
    assert (document.body, document.body_line) == ("first\n", 4)


@pytest.mark.parametrize("text", ["", "# Title\n", "---\nid: a\n", "text\n---\n---\n"])
def test_a_file_without_front_matter_says_so(text):
    notes = Notes("x.md")
    assert read_card(text, notes) is None
    assert codes(notes) == ["C001"]


@pytest.mark.parametrize(
    ("yaml", "code"),
    [
        ("a: {b: c}", "C002"),
        ("a: [[b]]", "C002"),
        ("- a", "C002"),
        ("[a]: b", "C002"),
        ("a: b: c", "C002"),
        ("a: \x07", "C002"),
        ("a: 'b", "C002"),
        ("a: 1\na: 2", "C004"),
        ("a: &x 1", "C005"),
        ("a: !!int 1", "C005"),
        ("a: &x 1\nb: *x", "C005"),
        ("a: [*x]", "C005"),
        ("a: [{b: *x}]", "C005"),
        ("a: [&x {b: c}]", "C005"),
        ("a: [{<<: *x}]", "C005"),
        ("a: [{b: [c]}]", "C002"),
        ("a: [{b: {c: d}}]", "C002"),
        ("a: [{b: 1, b: 2}]", "C004"),
        ("a:\n  - b: 1\n    c: [d]", "C002"),
    ],
)
def test_tricks_of_yaml_are_refused(yaml, code):
    notes = Notes("x.md")
    read(f"---\n{yaml}\n---\n", notes)
    assert code in codes(notes)


def test_an_empty_front_matter_misses_its_keys():
    notes = Notes("x.md")
    read_card("---\n---\n# Title\n", notes)
    assert "C006" in codes(notes)
    assert "C001" not in codes(notes)


@pytest.mark.parametrize(
    ("yaml", "ask"),
    [
        ("a: [b]", lambda form: form.text("a")),
        ("a: b", lambda form: form.words("a")),
        ("a: c", lambda form: form.one_of("a", ("x", "y"))),
        ("a: 11", lambda form: form.whole("a", 1, 10)),
        ("a: -1", lambda form: form.whole("a", 1, 10)),
        ("a: 2026.1", lambda form: form.edition("a")),
        ("a: 1", lambda form: form.number("a")),
        ("a: [1, x]", lambda form: form.wholes("a", 1, 10)),
        ("a: [{b: c}]", lambda form: form.words("a", required=True)),
        ("a: [{b: c}]", lambda form: form.text("a")),
        ("a: [b, {c: d}]", lambda form: form.words("a")),
        ("a: [b, {c: d}]", lambda form: form.rows("a")),
        ("a: b", lambda form: form.rows("a")),
        ("a: []", lambda form: form.rows("a")),
    ],
)
def test_a_value_of_the_wrong_kind_is_noted(yaml, ask):
    form, notes = read_form(yaml)
    ask(form)
    assert codes(notes) == ["C007"]


def test_rows_keep_their_places_in_flow_and_in_block():
    form, notes = read_form("a:\n  - {b: 1, c: 2}\n  - b: 3\n    c: 4\nc: 5")
    rows = form.rows("a")
    assert [row.whole("b", 1, 9) for row in rows] == [1, 3]
    assert [row.place("c") for row in rows] == [(3, 15), (5, 8)]
    assert not notes.problems


def test_a_row_asks_above_for_what_it_lacks():
    form, notes = read_form("a: [{b: 1}]\nc: 5")
    (row,) = form.rows("a")
    assert (row.whole("b", 1, 9), row.whole("c", 1, 9)) == (1, 5)
    assert (row.has("b"), row.has("c")) == (True, False)
    row.close()
    form.close()
    assert not notes.problems


def test_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "experiments" / "one.md"
    path.parent.mkdir()
    text = "---\nid: one\ntitle: One\nstatus: planned\nusers: 1\nprompt_tokens: 1\n"
    text += "output_tokens: 1\n---\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    shelf = fill([tmp_path])
    assert shelf.problems == []
    assert list(shelf.experiments) == ["one"]


def test_headings_in_code_are_none():
    text = "# One\n```\n# no\n~~~\n# no\n```\n    # no\n~~~ x\n# no\n~~~\n## Two ##\n"
    found = [(h.level, h.title, h.line) for h, _, _ in headings(text)]
    assert found == [(1, "One", 1), (2, "Two", 11)]


def test_a_fence_that_never_closes_holds_the_rest():
    assert [h.title for h, _, _ in headings("# One\n````\n```\n# no\n")] == ["One"]


def test_a_part_ends_at_the_next_heading_of_its_level():
    before, found = parts("intro\n## A\ntext\n### in A\n## B\n", 2)
    assert before == "intro\n"
    assert [(p.heading.title, p.text) for p in found] == [
        ("A", "text\n### in A\n"),
        ("B", ""),
    ]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("A {#b}", ("A", {"id": "b"})),
        ("A {#b experiment=c-d}", ("A", {"id": "b", "experiment": "c-d"})),
        ("A {b}", ("A {b}", {})),
        ("A {#B}", ("A {#B}", {})),
        ("A {{ result:x y }}", ("A {{ result:x y }}", {})),
        ("{#b}", ("", {"id": "b"})),
    ],
)
def test_attributes_are_read_at_the_end(title, expected):
    assert attributes(title) == expected
