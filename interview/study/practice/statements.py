"""Sentences of a card that are right and can be judged without those before them."""

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])[”’)]*\s+")
_WORD = re.compile(r"\w[\w.’-]*")
_NO_PROSE = re.compile(r" *(?:\||#|`{3}|>|!\[|[-*+] |\d+[.)] )")
_FEWEST, _MOST = 7, 40
# Who opens like this goes on from a sentence before, or tells somebody what to do.
_LEANING = """
all also and another as at because below beyond both but by divided each else even
exactly finally first fix for from give half he here his if in instead it its
neither next no nobody nor nothing now on one only or other otherwise perhaps rather
real second she similarly since so some sometimes still such suppose take that their
then there therefore these they third this those though thus times twice two what
which yes yet
"""
_POINTING = re.compile(
    r"\b(?:this|these|those|here|above|below|former|latter|that one|the same|the other"
    r"|the rest|[Tt]he (?:first|second|last|two)|that is|row|column|I|I’d|me|my|we|our"
    r"|he|she|they)\b"
)


def statements(markdown: str) -> Iterator[tuple[str, str]]:
    """(paragraph, sentence): whole sentences as they stand, inline Markdown.

    What leans on its surroundings is left out, since it may turn false without them.
    Lines are not joined: our texts write a paragraph in one.
    """
    in_fence = False
    for line in markdown.split("\n"):
        in_fence ^= line.lstrip().startswith("```")
        if not in_fence and not _NO_PROSE.match(line):
            sentences = map(str.strip, _END.split(line))
            yield from ((line, one) for one in sentences if stands_alone(one))


def stands_alone(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    return (
        _FEWEST <= len(words) <= _MOST
        and sentence.endswith(".")
        and sentence[0].isalnum()
        and ":" not in sentence
        and "{{" not in sentence
        and words[0].lower() not in _LEANING.split()
        and not _POINTING.search(sentence)
        # Marks that begin here and end in another sentence would show as stars.
        and all(sentence.count(mark) % 2 == 0 for mark in "`*")
    )
