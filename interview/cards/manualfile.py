"""Reads one manual section or one experiment from the text of its file."""

import re

from interview.cards import rules
from interview.cards.card import Source
from interview.cards.experiment import Experiment
from interview.cards.form import Form, nearest
from interview.cards.frontmatter import Document, read
from interview.cards.manual import ManualSection, SectionHeading
from interview.cards.markdown import cited
from interview.cards.outline import Part, Passage, headings, parts, passage, slug
from interview.cards.problem import Notes, Place
from interview.cards.shape import read_sources, read_title

_FIGURE = re.compile(r"^!\[[^\]\n]*\]\(figure:([\w-]+)\)", re.MULTILINE)
_QUESTION = "Question to predict"
_LOOK_FOR = "What to look for"


def read_section(text: str, notes: Notes) -> ManualSection | None:
    """The section, or None with notes of all that is wrong with it."""
    document = read(text, notes)
    if document is None:
        return None
    form = Form(document, notes)
    title, found = read_title(document.body, document.body_line, notes)
    sources = found[-1] if found and found[-1].heading.title == "Sources" else None
    body = _between(document, title, sources)
    section = ManualSection(
        number=form.number("number"),
        title=title.heading.title if title else "",
        engine=form.text("engine"),
        checked=form.date("checked"),
        edition=form.edition("edition"),
        body=body,
        headings=_headings(body),
        figures=tuple(_FIGURE.findall(body.markdown)),
        sources=read_sources(sources, notes),
        path=notes.path,
        source=text,
    )
    form.close()
    return None if notes.broken else section


def _between(document: Document, title: Part | None, sources: Part | None) -> Passage:
    """The text after the title and before the sources."""
    lines = document.body.split("\n")
    first = title.line if title else document.body_line
    start = first - document.body_line
    stop = sources.heading.line - document.body_line if sources else len(lines)
    return passage("\n".join(lines[start:stop]), first, 2)


def _headings(body: Passage) -> tuple[SectionHeading, ...]:
    taken: dict[str, int] = {}
    return tuple(
        SectionHeading(
            heading.attributes.get("id") or slug(heading.title, taken),
            heading.title,
            heading.level,
        )
        for heading, _, _ in headings(body.markdown)
    )


def read_experiment(text: str, notes: Notes) -> Experiment | None:
    """The experiment, or None with notes of all that is wrong with it."""
    document = read(text, notes)
    if document is None:
        return None
    form = Form(document, notes)
    written = form.one_of("status", ("planned", "written")) == "written"
    intro, question, look_for = _prose(document.body, document.body_line, notes)
    if written:
        for name, found in ((_QUESTION, question), (_LOOK_FOR, look_for)):
            if not found:
                place = Place(document.body_line, 1)
                notes.add(rules.MISSING_SECTION, place, section=name)
    experiment = Experiment(
        id=form.slug("id"),
        title=form.text("title"),
        written=written,
        users=form.wholes("users", 1, 4096),
        prompt_tokens=form.whole("prompt_tokens", 1, 1_000_000),
        output_tokens=form.whole("output_tokens", 1, 1_000_000),
        repetitions=form.whole("repetitions", 1, 100, default=1),
        neighbours=form.whole("neighbours", 0, 4096, default=0),
        cards=form.words("cards"),
        intro=intro,
        question=question,
        look_for=look_for,
        sources=tuple(Source((fact,), "", 1) for fact in cited(document.body)),
        path=notes.path,
        source=text,
    )
    form.close()
    return None if notes.broken else experiment


def _prose(
    body: str, first_line: int, notes: Notes
) -> tuple[Passage, Passage, Passage]:
    before, found = parts(body, 2, first_line)
    named: dict[str, Passage] = {}
    for part in found:
        name = part.heading.title
        if name in (_QUESTION, _LOOK_FOR) and name not in named:
            named[name] = part.passage()
            continue
        place = Place(part.heading.line, part.heading.column)
        near = nearest(name, (_QUESTION, _LOOK_FOR))
        notes.add(rules.UNKNOWN_SECTION, place, section=name, nearest=near)
    empty = Passage("", first_line, 3)
    return (
        passage(before, first_line, 2),
        named.get(_QUESTION, empty),
        named.get(_LOOK_FOR, empty),
    )
