"""Reads one manual section from the text of its file."""

import re

from interview.cards.form import Form
from interview.cards.frontmatter import Document, read
from interview.cards.manual import ManualSection, SectionHeading
from interview.cards.outline import Part, Passage, headings, passage, slug
from interview.cards.problem import Notes
from interview.cards.shape import read_sources, read_title

_FIGURE = re.compile(r"^!\[[^\]\n]*\]\(figure:([\w-]+)\)", re.MULTILINE)


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
