"""Text to search words, with `c++`, `p99`, `KV-cache` and `max_num_seqs` in mind.

A compound gives itself, joined, and its parts, so that each spelling finds the others.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:\+\+|#)?(?:[-_./’'][^\W_]+)*")
_JOINT = re.compile(r"[-_./’']")


@dataclass(frozen=True, slots=True)
class Found:
    word: str
    start: int
    end: int


def fold(word: str) -> str:
    """Small letters, without the s of a plural."""
    word = word.lower()
    plural = len(word) > 3 and word[-1] == "s" and word[-2] not in "sui"
    return word[:-1] if plural else word


def words(text: str) -> Iterator[Found]:
    """Every word and every part of a compound, with its place in the text."""
    for match in _WORD.finditer(text):
        whole, start = match[0], match.start()
        parts = _JOINT.split(whole)
        if len(parts) > 1:
            yield Found(fold("".join(parts)), start, match.end())
        for part in parts:
            yield Found(fold(part), start, start + len(part))
            start += len(part) + 1
