"""Tokens to clean HTML for one library; pages say how to link and how to draw."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markdown_it.token import Token

from interview.cards.card import Source
from interview.cards.library import Library
from interview.cards.links import KINDS, State, target
from interview.cards.markdown import parser
from interview.cards.marks import Html, Page, anchor, clean
from interview.cards.outline import Passage, slug
from interview.cards.results import ResultSet
from interview.cards.terms import link_terms

_PLACEHOLDER = re.compile(r'<div data-figure="(\d+)"></div>')


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure to draw: its name, its caption as clean HTML, and all results."""

    name: str
    caption: str
    results: Mapping[str, ResultSet]
    number: str | None = None
    """Its number in the manual; None for a figure that is only in cards."""


@dataclass(frozen=True, slots=True)
class Footnote:
    number: int
    anchor: str
    """The id to give it: footnote marks in the text link to it."""
    fact_id: str | None
    text: str
    """Clean inline HTML: what the card says of the source."""
    says: str
    origin: str


class Renderer:
    """Renders the content of one library, and keeps what it rendered.

    `url(kind, id)` gives the address of a "card", "manual" section, "experiment" or
    "term", or None to show the link as text. `figure(Figure)` gives trusted HTML.
    """

    def __init__(
        self,
        library: Library,
        url: Callable[[str, str], str | None],
        figure: Callable[[Figure], str],
    ) -> None:
        self._library = library
        self._url = url
        self._figure = figure
        self._md = parser(Html)
        self._html = lru_cache(maxsize=4096)(self._fresh_html)
        self._inline = lru_cache(maxsize=4096)(self._fresh_inline)

    def html(
        self,
        passage: Passage,
        *,
        level: int = 2,
        sources: Sequence[Source] = (),
        terms: bool = False,
    ) -> str:
        """Clean HTML whose highest heading is `level`.

        Footnote marks count through `sources`, the list of the card or section. With
        `terms` the first use of each term leads to the glossary.
        """
        return self._html(passage, level, tuple(sources), terms)

    def address(self, kind: str, name: str) -> str | None:
        """Where a link of this kind leads; None where it would be a dead end."""
        return self._url(kind, name)

    def inline(self, markdown: str) -> str:
        """Clean HTML of a title or another line, without a paragraph around it."""
        return self._inline(markdown)

    def footnotes(self, sources: Sequence[Source]) -> list[Footnote]:
        """One for each fact, in order; a source without a fact has text only."""
        notes: list[Footnote] = []
        for source in sources:
            text = self.inline(source.text)
            for fact_id in source.facts or (None,):
                fact = self._library.facts.get(fact_id or "")
                number = len(notes) + 1
                name = anchor(fact_id or f"note-{number}")
                says, origin = (fact.says, fact.origin) if fact else ("", "")
                notes.append(Footnote(number, name, fact_id, text, says, origin))
        return notes

    def _fresh_inline(self, markdown: str) -> str:
        page = Page(self._library.results, {})
        return self._render(self._md.parseInline(markdown), page)

    def _fresh_html(
        self,
        passage: Passage,
        level: int,
        sources: tuple[Source, ...],
        terms: bool,
    ) -> str:
        tokens = self._md.parse(passage.markdown)
        _shift_headings(tokens, level - passage.top)
        if terms:
            link_terms(tokens, self._library.glossary)
        page = Page(self._library.results, _numbers(sources))
        html = self._render(tokens, page)
        return _PLACEHOLDER.sub(
            lambda found: self._draw(page.figures[int(found[1])], page), html
        )

    def _render(self, tokens: Sequence[Token], page: Page) -> str:
        for token in tokens:
            if token.children and token.type == "inline":
                token.children = self._linked(token.children)
        html = self._md.renderer.render(tokens, self._md.options, {"page": page})
        return clean(html)

    def _draw(self, token: Token, page: Page) -> str:
        caption = Token("inline", "", 0, children=token.children)
        html = self._render([caption], page)
        name = token.meta["name"]
        number = self._library.figure_number(name)
        return self._figure(Figure(name, html, self._library.results, number))

    def _linked(self, children: Sequence[Token]) -> list[Token]:
        """Links with addresses; those that lead nowhere yet become text."""
        linked: list[Token] = []
        end: Token | None = None
        for token in children:
            if token.type == "link_open":
                opening, end = self._link(token)
                linked.extend(opening)
            elif token.type == "link_close" and end:
                linked.append(end)
            else:
                linked.append(token)
        return linked

    def _link(self, token: Token) -> tuple[list[Token], Token]:
        """What stands for the opening of a link, and what for its end."""
        end = Token("link_close", "a", -1)
        found = target(str(token.attrs["href"]), self._library)
        address = self._address(found.kind, found.id, found.state)
        if address is None:
            planned = " (planned)" if found.state is State.PLANNED else ""
            return [], Token("text", "", 0, content=planned)
        token.attrSet("href", address)
        if found.kind == "web":
            token.attrSet("rel", "noopener noreferrer")
        return [token], end

    def _address(self, kind: str, name: str, state: State) -> str | None:
        if state is not State.READY:
            return None
        if kind in KINDS:
            return self._url(kind, name)
        return f"#{name}" if kind == "page" else name


def _numbers(sources: Sequence[Source]) -> dict[str, int]:
    """The footnote number of each fact; a source without a fact has a number too."""
    facts = [fact for source in sources for fact in source.facts or (None,)]
    return {fact: number for number, fact in enumerate(facts, start=1) if fact}


def _shift_headings(tokens: Sequence[Token], by: int) -> None:
    taken: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            given = opening.meta["attributes"].get("id")
            opening.attrSet("id", given or slug(inline.content, taken))
        if opening.type in ("heading_open", "heading_close"):
            opening.tag = _shifted(opening.tag, by)
    if tokens and tokens[-1].type == "heading_close":
        tokens[-1].tag = _shifted(tokens[-1].tag, by)


def _shifted(tag: str, by: int) -> str:
    return f"h{min(6, max(1, int(tag[1]) + by))}"
