"""Finding words in what a person wrote: their notes and their attempts.

Each word must be there, as the start of a word or inside one. The database looks, so
that nothing is kept twice; it reads the newest first and stops when there is enough.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db.models import Q, QuerySet

from interview.cards.snippet import Snippet, cut
from interview.cards.words import Found as Place

from ..models import Attempt, CardMark

if TYPE_CHECKING:
    from interview.accounts.models import User

MOST_WORDS = 8
LOOKED_AT = 100
"""Of so many matches, the newest, the best come first."""
EXCERPT = 180


@dataclass(frozen=True, slots=True)
class Asked:
    words: Sequence[str]
    pattern: re.Pattern[str]
    """Any of the words, the longest first."""
    starts: Sequence[re.Pattern[str]]
    """Each of them at the beginning of a word."""

    @classmethod
    def of(cls, q: str) -> Self | None:
        """None when there is no word in it."""
        words = list(dict.fromkeys(q.split()))[:MOST_WORDS]
        if not words:
            return None
        escaped = [re.escape(word) for word in sorted(words, key=len, reverse=True)]
        starts = [re.compile(rf"(?<!\w){word}", re.IGNORECASE) for word in escaped]
        return cls(words, re.compile("|".join(escaped), re.IGNORECASE), starts)

    def within(self, field: str) -> Q:
        """That `field` holds each word, whatever its case."""
        found = Q()
        for word in self.words:
            one = Q()
            for spelling in spellings(word):
                one |= Q(**{f"{field}__icontains": spelling})
            found &= one
        return found

    def excerpt(self, text: str) -> Snippet:
        line = " ".join(text.split())
        places = [
            Place(match[0], *match.span()) for match in self.pattern.finditer(line)
        ]
        return cut(line, places, EXCERPT)

    def words_begun(self, text: str) -> int:
        """How many of the words stand at the beginning of one in the text."""
        return sum(start.search(text) is not None for start in self.starts)


@dataclass(frozen=True, slots=True)
class OwnText:
    card_id: str
    rung_id: str
    at: datetime | None
    excerpt: Snippet


def notes(person: "User", asked: Asked) -> list[OwnText]:
    marks = CardMark.objects.of(person).exclude(note="").filter(asked.within("note"))
    rows = marks.order_by("-noted_at").values_list("card_id", "noted_at", "note")
    return best(((card_id, "", at, note) for card_id, at, note in newest(rows)), asked)


def attempts(person: "User", asked: Asked) -> list[OwnText]:
    mine = Attempt.objects.filter(asked.within("text"), user=person).order_by("-at")
    return best(newest(mine.values_list("card_id", "rung_id", "at", "text")), asked)


def newest[T: tuple[object, ...]](rows: "QuerySet[Attempt | CardMark, T]") -> list[T]:
    return list(rows[:LOOKED_AT])


def best(
    rows: Iterable[tuple[str, str, datetime | None, str]], asked: Asked
) -> list[OwnText]:
    """Whole beginnings of words before mere insides, each newest first."""
    ordered = sorted(rows, key=lambda row: -asked.words_begun(row[3]))
    return [
        OwnText(card_id, rung_id, at, asked.excerpt(text))
        for card_id, rung_id, at, text in ordered
    ]


def spellings(word: str) -> set[str]:
    """SQLite looks past the case of ASCII letters only."""
    return (
        {word} if word.isascii() else {word, word.lower(), word.upper(), word.title()}
    )
