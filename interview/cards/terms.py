"""The glossary: its terms, and where a text uses one for the first time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from markdown_it.token import Token

ABBREVIATION = re.compile(r"(?<![\w-])[A-Z]{2,6}(?![\w-])")


@dataclass(frozen=True, slots=True)
class Term:
    id: str
    title: str
    says: str
    """A sentence or two, inline Markdown."""
    forms: tuple[str, ...]
    """How texts write it; a small first letter stands for a capital one, too."""
    see: str
    """What explains it: manual:1.3 or card:ID."""


@dataclass(frozen=True)
class Glossary:
    """No slots: the pattern of all forms is made once and kept."""

    terms: Mapping[str, Term] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    """Abbreviations that need no entry for anybody in the trade."""

    @cached_property
    def by_form(self) -> Mapping[str, Term]:
        return {
            shape: term
            for term in self.terms.values()
            for form in term.forms
            for shape in (form, form[0].upper() + form[1:])
        }

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # The longest first: “KV cache” before “KV”.
        forms = sorted(self.by_form, key=len, reverse=True)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])")

    def uses(self, text: str) -> Iterator[tuple[re.Match[str], Term]]:
        if self.terms:
            for found in self._pattern.finditer(text):
                yield found, self.by_form[found[0]]

    def unexplained(self, text: str) -> Iterator[re.Match[str]]:
        """Abbreviations that have no entry; none without a glossary."""
        if self.terms:
            explained = {word for form in self.by_form for word in form.split()}
            for found in ABBREVIATION.finditer(text):
                if found[0] not in explained and found[0] not in self.plain:
                    yield found


def link_terms(tokens: Sequence[Token], glossary: Glossary) -> None:
    """Make the first use of each term a link; headings, links and code stay as is."""
    seen: set[str] = set()
    for before, token in zip([None, *tokens], tokens, strict=False):
        heading = before is not None and before.type == "heading_open"
        if token.type == "inline" and token.children and not heading:
            token.children = list(_linked(token.children, glossary, seen))


def _linked(
    children: Sequence[Token], glossary: Glossary, seen: set[str]
) -> Iterator[Token]:
    depth = 0
    for token in children:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "text" and not depth:
            yield from _split(token.content, glossary, seen)
        else:
            yield token


def _split(text: str, glossary: Glossary, seen: set[str]) -> Iterator[Token]:
    at = 0
    for found, term in glossary.uses(text):
        if term.id in seen:
            continue
        seen.add(term.id)
        yield _text(text[at : found.start()])
        attributes: dict[str, str | int | float] = {"href": f"term:{term.id}"}
        attributes["class"] = "term"
        yield Token("link_open", "a", 1, attrs=attributes)
        yield _text(found[0])
        yield Token("link_close", "a", -1)
        at = found.end()
    yield _text(text[at:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
