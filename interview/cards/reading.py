"""How texts read: their length, their sentences, and what two questions share."""

import re
from collections.abc import Iterator
from functools import lru_cache

from interview.cards.plain import plain_text
from interview.cards.words import fold

_WORD = re.compile(r"\S*\w\S*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[”’)]*\s+")
_LEAST_SENTENCE = 8
_ALIKE = 0.5
_SMALL = """
a an and are as at be been but by can could did do does each every for from had has
have he her how i if in into is it its less may more most must my no not of on one or
over should so than that the their them then there these they this those to up was we
were what when where which who why will with would you your
"""


def word_count(markdown: str) -> int:
    return len(_WORD.findall(plain_text(markdown)))


# The editor of cards asks for those of all cards whenever somebody stops typing.
@lru_cache(maxsize=8192)
def sentences(markdown: str) -> tuple[tuple[str, str, int], ...]:
    """Each sentence of eight words or more: normalised, as it stands, its line from 0.

    Lines are not joined: our texts write a paragraph in one.
    """
    return tuple(_sentences(markdown))


def _sentences(markdown: str) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(markdown.split("\n")):
        for sentence in _SENTENCE_END.split(plain_text(line)):
            if len(_WORD.findall(sentence)) >= _LEAST_SENTENCE:
                words = re.findall(r"\w+", sentence.lower())
                yield " ".join(words), sentence.strip(), number


def alike(question: str, other: str) -> bool:
    """Whether two questions share half of their words that matter, and two at least."""
    one, two = _words_that_matter(question), _words_that_matter(other)
    return len(one & two) >= max(2, _ALIKE * len(one | two))


def _words_that_matter(markdown: str) -> set[str]:
    found = re.findall(r"\w[\w.]*", plain_text(markdown).lower())
    return {fold(word) for word in found} - set(_SMALL.split())
