"""Markdown to tokens: CommonMark with tables and our own marks, without HTML.

It resolves nothing: the renderer and the linter walk the same tokens.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from interview.cards.outline import attributes

_QUOTE = re.compile(r"\{\{(?P<inside>[^\n]*?)\}\}")
_UNIT = re.compile(r" (?=(?:ms|s|µs|GB|MB|kB|tok/s|%)(?!\w))")
FACT_ID = r"[A-Z]:[A-Z][\w.-]*"
_CITE = re.compile(
    rf"\[{FACT_ID}(?:,[ \t]*{FACT_ID})*\](?:[ \t]*\[{FACT_ID}(?:,[ \t]*{FACT_ID})*\])*"
    r"(?![(\[])"
)
_ALIGNMENTS = {"text-align:right": "num", "text-align:center": "center"}


def parser(renderer: type[RendererHTML] = RendererHTML) -> MarkdownIt:
    options = {"html": False, "highlight": _highlight}
    md = MarkdownIt("commonmark", options, renderer_cls=renderer)
    md.enable("table")
    md.inline.ruler.before("escape", "quote", _quote)
    md.inline.ruler.before("link", "cite", _cite)
    md.core.ruler.after("block", "heading_attributes", _heading_attributes)
    md.core.ruler.push("table_classes", _table_classes)
    md.core.ruler.push("figures", _figures)
    return md


def cited(markdown: str) -> tuple[str, ...]:
    """The fact ids that a text cites, once each, in order; code not looked at."""
    found = (re.findall(FACT_ID, cite[0]) for cite in _CITE.finditer(markdown))
    return tuple(dict.fromkeys(fact for facts in found for fact in facts))


def flat(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Every inline token with the block token that holds it."""
    for token in tokens:
        if token.type == "inline":
            yield from ((child, token) for child in token.children or ())


def _quote(state: StateInline, silent: bool) -> bool:
    """`{{ … }}`; the space before a unit that follows becomes a no-break space."""
    found = _QUOTE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    unit = _UNIT.match(state.src, found.end(), state.posMax)
    if not silent:
        token = state.push("quote", "", 0)
        token.content = found["inside"]
        token.markup = found[0]
        token.meta = {"glue": "\u00a0" if unit else ""}
    state.pos = unit.end() if unit else found.end()
    return True


def _cite(state: StateInline, silent: bool) -> bool:
    """One mark for `[V:SCH-3]`, `[V:SCH-2, H:ROOF-6]` and neighbours of such."""
    if state.src[state.pos] != "[":
        return False
    found = _CITE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        # The footnote mark stands close to the word before it.
        state.pending = state.pending.rstrip(" ")
        token = state.push("cite", "", 0)
        token.markup = found[0]
        token.meta = {"facts": re.findall(FACT_ID, found[0])}
    state.pos = found.end()
    return True


def _heading_attributes(state: StateCore) -> None:
    for opening, inline in pairwise(state.tokens):
        if opening.type == "heading_open":
            inline.content, named = attributes(inline.content)
            opening.meta = {"attributes": named}


def _table_classes(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("th_open", "td_open"):
            name = _ALIGNMENTS.get(str(token.attrs.pop("style", "")))
            if name:
                token.attrSet("class", name)
    for opening, inside, closing in zip(
        state.tokens, state.tokens[1:], state.tokens[2:], strict=False
    ):
        # A head without words heads nothing; a screen reader would announce it.
        if opening.type == "th_open" and not inside.content.strip():
            opening.tag = closing.tag = "td"


def _figures(state: StateCore) -> None:
    """A paragraph that is one image with figure:NAME becomes a figure token."""
    kept: list[Token] = []
    for token in state.tokens:
        kept.append(token)
        if token.type == "paragraph_close" and len(kept) > 2:
            figure = _figure(kept[-2])
            if figure:
                kept[-3:] = [figure]
    state.tokens = kept


def _figure(inline: Token) -> Token | None:
    children = inline.children or []
    if len(children) != 1 or children[0].type != "image":
        return None
    kind, _, name = str(children[0].attrs["src"]).partition(":")
    if kind != "figure":
        return None
    caption = children[0].children
    return Token(
        "figure", "div", 0, map=inline.map, children=caption, meta={"name": name}
    )


def _highlight(code: str, language: str, _attributes: str) -> str:
    """Spans with Pygments' classes; "" leaves unknown languages as they are."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return ""
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
    return highlight(code, lexer, formatter)
