"""The reader’s filters: in the address, so that a filtered list is a link to send."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Self
from urllib.parse import urlencode

from interview.cards.card import Card
from interview.cards.vocabulary import Vocabulary, Word

KINDS = ("role", "topic", "level")
SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Filters:
    q: str = ""
    """Words to find."""
    role: str = ""
    topic: str = ""
    level: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str], vocabulary: Vocabulary) -> Self:
        """From the address; words that the vocabulary does not have filter nothing."""
        known = {kind: words_of(kind, vocabulary) for kind in KINDS}
        given = {kind: query.get(kind, "") for kind in KINDS}
        return cls(
            q=" ".join(query.get("q", "").split())[:200],
            **{kind: word for kind, word in given.items() if word in known[kind]},
        )

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    @property
    def query(self) -> str:
        """For an address, with its question mark; "" when nothing is set."""
        pairs = {f.name: getattr(self, f.name) for f in fields(self)}
        set_ones = urlencode({name: value for name, value in pairs.items() if value})
        return f"?{set_ones}" if set_ones else ""

    def but(self, **changed: str) -> Self:
        return replace(self, **changed)

    def pick(self, cards: Iterable[Card]) -> list[Card]:
        """Those with the chosen role, topic and level; the words are not looked at."""
        return [
            card
            for card in cards
            if all(
                not (word := getattr(self, kind)) or word in words_on(card, kind)
                for kind in KINDS
            )
        ]


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """A filter in the address whose word the vocabulary does not have."""

    kind: str
    given: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        given = self.given[:SHOWN_CHARACTERS]
        if not self.known:
            return f"There is no {self.kind} “{given}”, and no other {self.kind}."
        return f"There is no {self.kind} “{given}”. Known: {', '.join(self.known)}."


def unknown_words(
    query: Mapping[str, str], vocabulary: Vocabulary
) -> list[UnknownWord]:
    """One per kind at most; an empty word is no filter."""
    found = []
    for kind in KINDS:
        given, known = query.get(kind, ""), words_of(kind, vocabulary)
        if given and given not in known:
            found.append(UnknownWord(kind, given, tuple(known)))
    return found


@dataclass(frozen=True, slots=True)
class Choice:
    word: Word
    count: int
    """Cards that the list would show."""
    query: str
    """Of the address that sets it, or takes it away when it is set."""
    chosen: bool


def choices(
    kind: str, filters: Filters, cards: Iterable[Card], vocabulary: Vocabulary
) -> list[Choice]:
    """The words of one kind that some card has, given the other filters."""
    others = filters.but(**{kind: ""}).pick(cards)
    counts = Counter(slug for card in others for slug in words_on(card, kind))
    chosen = getattr(filters, kind)
    found = []
    for slug, word in words_of(kind, vocabulary).items():
        if counts[slug] or slug == chosen:
            wanted = "" if slug == chosen else slug
            query = filters.but(**{kind: wanted}).query
            found.append(Choice(word, counts[slug], query, slug == chosen))
    return found


def words_of(kind: str, vocabulary: Vocabulary) -> Mapping[str, Word]:
    found: Mapping[str, Word] = getattr(vocabulary, f"{kind}s")
    return found


def words_on(card: Card, kind: str) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(card, f"{kind}s")
    return found
