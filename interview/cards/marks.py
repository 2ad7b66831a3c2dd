"""The HTML of our own marks (quotes, cites, figures, tables), and the second wall."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import nh3
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from interview.cards.quotes import BadQuote, read_quote, shown
from interview.cards.results import NoSuchResult, ResultSet

_TAGS = {"p", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "a", "hr"}
_TAGS |= {"br", "span", "div", "sup", "table", "thead", "tbody", "tr", "th", "td"}
_TAGS |= {f"h{level}" for level in range(1, 7)}
_ATTRIBUTES = {
    "a": {"href", "rel", "title", "aria-label"},
    "div": {"data-figure"},
    "ol": {"start"},
    "pre": {"tabindex"},
    "span": {"title"},
    "*": {"class"},
} | {f"h{level}": {"id"} for level in range(1, 7)}


def clean(html: str) -> str:
    """Only the tags and attributes that our Markdown makes; only https links."""
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"https"},
        link_rel=None,
    )


def anchor(fact_id: str) -> str:
    """V:SCH-3 has the id source-v-sch-3 on its page."""
    return "source-" + re.sub(r"[^a-z0-9]+", "-", fact_id.lower())


@dataclass(frozen=True, slots=True)
class Page:
    """What one rendering knows and collects; it travels as env["page"]."""

    results: Mapping[str, ResultSet]
    numbers: Mapping[str, int]
    """The footnote number of each fact."""
    figures: list[Token] = field(default_factory=list)


class Html(RendererHTML):
    """markdown-it calls the method that has a token's type as its name."""

    def quote(self, tokens: Sequence[Token], at: int, _: Any, env: Any) -> str:
        token = tokens[at]
        results = env["page"].results
        try:
            quote = read_quote(token.content)
            text = escape(shown(quote, results))
        except (BadQuote, NoSuchResult):
            return escape(token.markup)
        about = results[quote.set_id].about
        keys = ("machine", "model", "engine", "date")
        origin = escape(", ".join(about[key] for key in keys if key in about))
        glue = token.meta["glue"]
        return f'<span class="measured" title="{origin}">{text}</span>{glue}'

    def cite(self, tokens: Sequence[Token], at: int, _: Any, env: Any) -> str:
        numbers = env["page"].numbers
        marks = [
            f'<a href="#{anchor(fact)}" aria-label="Source {number}">{number}</a>'
            for fact in tokens[at].meta["facts"]
            if (number := numbers.get(fact))
        ]
        return f'<sup class="source">{", ".join(marks)}</sup>' if marks else ""

    def figure(self, tokens: Sequence[Token], at: int, _: Any, env: Any) -> str:
        figures = env["page"].figures
        figures.append(tokens[at])
        return f'<div data-figure="{len(figures) - 1}"></div>\n'

    def fence(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return _reachable(super().fence(tokens, at, options, env))

    def code_block(
        self, tokens: Sequence[Token], at: int, options: Any, env: Any
    ) -> str:
        return _reachable(super().code_block(tokens, at, options, env))

    def table_open(self, *_: Any) -> str:
        return '<div class="table"><table>\n'

    def table_close(self, *_: Any) -> str:
        return "</table></div>\n"


def _reachable(html: str) -> str:
    """Long lines scroll, and what scrolls must be reached without a mouse."""
    return html.replace("<pre>", '<pre tabindex="0">', 1)
