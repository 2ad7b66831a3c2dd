"""Finds numbers with a unit that nothing in their text stands up for.

A block is a paragraph, an item of a list, or a whole table. It is founded when it
cites, quotes a result, shows a sum or states an assumption, or when it goes on from a
founded one: a table or list from its lead, an item from those before it, a table also
from the paragraph behind it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

_UNIT = (
    r"ms|µs|s|seconds|minutes|hours|tok/s|tokens(?:/s| per second| a second)?"
    r"|[KMGT]iB(?:/s)?|[kMGT]B(?:/s)?|bytes|[TP]?FLOPS|%|percent"
)
_NUMERAL = r"\d[\d,]*(?:\.\d+)?"
_MEASURE = re.compile(
    rf"(?<![\w.,:/–-])(?P<numeral>{_NUMERAL})[ \u00a0]?(?P<unit>{_UNIT})(?![\w-])"
)
# “A prompt of 100 tokens” supposes one, and so does a question.
_SUPPOSED = re.compile(
    rf"\bof {_NUMERAL} tokens\b(?! (?:per|a) second)|(?:[^.?!]|\.\d)*\?"
)
_SUM = re.compile(
    r"[=×÷≈]|\d ?[−/] ?\d|\b(?:arithmetic|divided by|twice|half of)\b", re.IGNORECASE
)
_ASSUMED = re.compile(
    r"\b(?:invented|idealized|assum\w*|suppose\w*|imagine\w*|say|if|example"
    r"|for instance|such as|derived|estimate\w*|simulat\w*|at best|target|limit of"
    r"|we (?:called|computed|saw|tried))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Measure:
    text: str
    """As it stands there: “965 ms”."""
    numeral: str
    """Its digits, without thousands' commas, to know it again in other words."""


@dataclass(frozen=True, slots=True)
class Block:
    measures: tuple[Measure, ...]
    numerals: frozenset[str]
    """Every number in it, with a unit or without."""
    line: int
    """Of the passage, from 0."""
    founded: bool


def measures(text: str) -> Iterator[Measure]:
    for found in _MEASURE.finditer(_SUPPOSED.sub("", text)):
        yield Measure(found[0], _bare(found["numeral"]))


def numerals(text: str) -> frozenset[str]:
    return frozenset(_bare(found) for found in re.findall(_NUMERAL, text))


def _bare(numeral: str) -> str:
    return numeral.replace(",", "")


def blocks(tokens: Sequence[Token]) -> list[Block]:
    """The blocks of a passage, in order."""
    groups = list(_groups(tokens))
    alone = [any(map(_founds, group)) for group in groups]
    found = list(alone)
    for at, group in enumerate(groups):
        kind = group[0].type
        before = at > 0 and (found if kind == "list_item_open" else alone)[at - 1]
        after = kind == "table_open" and any(alone[at + 1 : at + 2])
        goes_on = kind in ("list_item_open", "table_open", "fence")
        found[at] = alone[at] or (goes_on and (before or after))
    return [_block(*pair) for pair in zip(groups, found, strict=True)]


def _groups(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The tokens of each block; those of a heading are one, too."""
    start = 0
    for at, token in enumerate(tokens):
        is_item = token.type.startswith("list_item") and token.level == 1
        if token.level and not is_item:
            continue
        if token.nesting == 1:
            start = at
        elif not token.type.endswith("list_close"):
            yield tokens[start : at + 1] if token.nesting else [token]


def _block(group: Sequence[Token], founded: bool) -> Block:
    words = [_words(token) for token in group]
    found = tuple(measure for text in words for measure in measures(text))
    line = group[0].map[0] if group[0].map else 0
    return Block(found, numerals(" ".join(words)), line, founded)


def _words(token: Token) -> str:
    """The text of an inline token; code, quotes and cites are no words."""
    if token.type != "inline":
        return ""
    children = token.children or ()
    return "".join(c.content if c.type == "text" else "\x00" for c in children)


def _founds(token: Token) -> bool:
    if token.type == "figure":
        return True
    if any(child.type in ("cite", "quote") for child in token.children or ()):
        return True
    words = _words(token)
    return bool(_SUM.search(words) or _ASSUMED.search(words))
