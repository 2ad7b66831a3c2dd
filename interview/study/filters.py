"""The reader’s filters: in the address, so that a filtered list is a link to send."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self
from urllib.parse import urlencode

from interview.cards.card import Card
from interview.cards.vocabulary import Vocabulary, Word

from .own.states import STATES, OwnCards

KINDS = ("role", "topic", "level")
SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Filters:
    q: str = ""
    """Words to find."""
    role: str = ""
    topic: str = ""
    level: str = ""
    mine: str = ""
    """States of one's own that all must hold, by commas: "flagged,due"."""
    card: str = ""
    """The id of the one card: practice begins from its page with it."""

    @classmethod
    def read(cls, query: Mapping[str, str], vocabulary: Vocabulary) -> Self:
        """From the address; words that the vocabulary does not have filter nothing."""
        known = {kind: words_of(kind, vocabulary) for kind in KINDS}
        given = {kind: query.get(kind, "") for kind in KINDS}
        return cls(
            q=" ".join(query.get("q", "").split())[:200],
            mine=in_order(query.get("mine", "").split(",")),
            card=query.get("card", "")[:100],
            **{kind: word for kind, word in given.items() if word in known[kind]},
        )

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    @property
    def query(self) -> str:
        """For an address, with its question mark; "" when nothing is set."""
        pairs = {f.name: getattr(self, f.name) for f in fields(self)}
        chosen = {name: value for name, value in pairs.items() if value}
        set_ones = urlencode(chosen, safe=",")
        return f"?{set_ones}" if set_ones else ""

    def but(self, **changed: str) -> Self:
        return replace(self, **changed)

    @property
    def states(self) -> Sequence[str]:
        return self.mine.split(",") if self.mine else []

    def pick(self, cards: Iterable[Card], own: OwnCards | None = None) -> list[Card]:
        """Those with the chosen role, topic and level, and in the chosen states of
        `own`, which may be left out when no state is chosen. The words are not looked
        at."""
        if self.mine and own is None:
            raise ValueError(f"mine={self.mine} picks by whose cards? Give own_cards.")
        found = [card for card in cards if not self.card or card.id == self.card]
        for kind in KINDS:
            if word := getattr(self, kind):
                found = [card for card in found if word in words_on(card, kind)]
        if own is not None:
            for state in self.states:
                found = [card for card in found if card.id in own[state]]
        return found


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
    for state in query.get("mine", "").split(","):
        if state and state not in STATES:
            found.append(UnknownWord("state of yours", state, tuple(STATES)))
            break
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
    kind: str,
    filters: Filters,
    cards: Iterable[Card],
    vocabulary: Vocabulary,
    own: OwnCards | None = None,
) -> list[Choice]:
    """The words of one kind that some card has, given the other filters."""
    others = filters.but(**{kind: ""}).pick(cards, own)
    counts = Counter(slug for card in others for slug in words_on(card, kind))
    chosen = getattr(filters, kind)
    found = []
    for slug, word in words_of(kind, vocabulary).items():
        if counts[slug] or slug == chosen:
            wanted = "" if slug == chosen else slug
            query = filters.but(**{kind: wanted}).query
            found.append(Choice(word, counts[slug], query, slug == chosen))
    return found


def own_choices(filters: Filters, cards: Iterable[Card], own: OwnCards) -> list[Choice]:
    """The states that a card left by all filters is in; each chosen one narrows."""
    left = filters.pick(cards, own)
    found = []
    for state, word in STATES.items():
        count = sum(card.id in own[state] for card in left)
        chosen = state in filters.states
        if count or chosen:
            query = filters.but(mine=in_order({state} ^ {*filters.states})).query
            found.append(Choice(word, count, query, chosen))
    return found


def in_order(states: Iterable[str]) -> str:
    """The known ones, once each, by commas."""
    given = set(states)
    return ",".join(state for state in STATES if state in given)


def words_of(kind: str, vocabulary: Vocabulary) -> Mapping[str, Word]:
    found: Mapping[str, Word] = getattr(vocabulary, f"{kind}s")
    return found


def words_on(card: Card, kind: str) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(card, f"{kind}s")
    return found
