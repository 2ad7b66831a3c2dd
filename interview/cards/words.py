"""Text to search words, with `c++`, `p99`, `KV-cache` and `max_num_seqs` in mind.

A compound gives itself, joined, and its parts, so that each spelling finds the others.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

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


def spellings(word: str) -> tuple[str, ...]:
    """What a word of a text is found by: itself joined, and the parts of a compound."""
    parts = _JOINT.split(word)
    whole = (fold("".join(parts)),) if len(parts) > 1 else ()
    return whole + tuple(fold(part) for part in parts)


def counts(text: str) -> Counter[str]:
    """How often a text has each word in its spellings; fast for whole libraries."""
    found: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(text.lower())).items():
        for spelling in _remembered(word):
            found[spelling] += times
    return found


_remembered = lru_cache(maxsize=50_000)(spellings)


def places(text: str, wanted: Collection[str]) -> Iterator[Found]:
    """Every word and part of a compound that is one of the wanted spellings."""
    for match in _WORD.finditer(text):
        if any(spelling in wanted for spelling in _remembered(match[0])):
            yield from (f for f in _parts(match[0], match.start()) if f.word in wanted)


def words(text: str) -> Iterator[Found]:
    """Every word and every part of a compound, with its place in the text."""
    for match in _WORD.finditer(text):
        yield from _parts(match[0], match.start())


def _parts(whole: str, start: int) -> Iterator[Found]:
    parts = _JOINT.split(whole)
    if len(parts) > 1:
        yield Found(fold("".join(parts)), start, start + len(whole))
    for part in parts:
        yield Found(fold(part), start, start + len(part))
        start += len(part) + 1
