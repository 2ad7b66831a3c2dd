"""A small, fixed tokenizer: text to ids and back without loss, with no learned table.

Ids below 256 are bytes. Common words, and those of the prepared answers, are one token
each, a blank before them included. Any other run of letters is cut from the left into
pieces of up to three characters; everything else goes byte by byte. Counts are exact
for this server, and only near to those of the real model's tokenizer.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from .answer import OPENING, PARAGRAPHS, REASONING
from .words import COMMON

# The ids that Qwen3 gives to these marks.
END_OF_TEXT = 151643
TURN_START = 151644
TURN_END = 151645
THINK_START = 151667
THINK_END = 151668

SPECIAL = {
    "<|endoftext|>": END_OF_TEXT,
    "<|im_start|>": TURN_START,
    "<|im_end|>": TURN_END,
    "<think>": THINK_START,
    "</think>": THINK_END,
}
HIDDEN = frozenset(SPECIAL.values())
"""Ids that are left out of the text that a client sees."""

VOCABULARY = 151936
"""Ids run from 0 to one below; those that nothing maps to decode to no text."""

_HEADS = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TAILS = ["", *"abcdefghijklmnopqrstuvwxyz"]

_MARKS = "|".join(map(re.escape, SPECIAL))
_SPLIT = re.compile(rf"{_MARKS}| ?[A-Za-z]+|[^A-Za-z]")
_PIECE = re.compile(r"[ A-Za-z][a-z]{0,2}")


def _texts() -> dict[int, str]:
    """The text of every id from 256 on: pieces, then words, then marks."""
    prepared = " ".join((OPENING, *PARAGRAPHS, REASONING))
    found = re.findall(r" ?[A-Za-z]+", prepared)
    common = (text for word in COMMON for text in (word, f" {word}"))
    words = dict.fromkeys(word for word in (*found, *common) if len(word) > 3)
    pieces = dict.fromkeys(
        head + second + third
        for head in _HEADS
        for second in _TAILS
        for third in (_TAILS if second else [""])
    )
    texts = dict(enumerate({**pieces, **words}, start=256))
    return texts | {token: text for text, token in SPECIAL.items()}


_TEXT = _texts()
_ID = {text: token for token, text in _TEXT.items()}


def encode(text: str) -> list[int]:
    """The token ids of a text; marks such as <|im_end|> are one token."""
    return [token for run in _SPLIT.finditer(text) for token in _ids(run[0])]


@lru_cache(maxsize=65536)
def _ids(run: str) -> tuple[int, ...]:
    if run in _ID:
        return (_ID[run],)
    if run.isascii() and run[-1].isalpha():
        return tuple(_ID[piece] for piece in _PIECE.findall(run))
    # A lone surrogate has no bytes; it becomes a question mark.
    return tuple(run.encode(errors="replace"))


def decode(tokens: Sequence[int], *, keep_special: bool = False) -> str:
    """The text of token ids; bytes that are no UTF-8 become replacement characters."""
    kept = (t for t in tokens if keep_special or t not in HIDDEN)
    return b"".join(map(token_bytes, kept)).decode(errors="replace")


def token_bytes(token: int) -> bytes:
    if token < 256:
        return bytes((token,))
    return _TEXT.get(token, "").encode()
