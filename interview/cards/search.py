"""Search in memory over cards and manual sections, tolerant of typos.

It knows no HTML: a snippet is text with the places to mark.
"""

import heapq
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from interview.cards.card import Card
from interview.cards.manual import ManualSection
from interview.cards.plain import plain_text
from interview.cards.postings import Postings
from interview.cards.quotes import filled_in
from interview.cards.results import ResultSet
from interview.cards.snippet import Snippet, snippet
from interview.cards.words import words

_SNIPPET = 180


@dataclass(frozen=True, slots=True)
class Hit:
    kind: Literal["card", "section"]
    id: str
    """The card's id or the section's number."""
    title: Snippet
    snippet: Snippet
    """Of a card's question or a section's text, never of an answer."""
    score: float


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: Literal["card", "section"]
    id: str
    title: str
    shown: str
    """One line of plain text, from which snippets may be cut."""


class SearchIndex:
    """Built at the first search, once; safe to share between threads."""

    def __init__(
        self,
        cards: Iterable[Card],
        sections: Iterable[ManualSection],
        results: Mapping[str, ResultSet],
    ) -> None:
        self._cards = tuple(cards)
        self._sections = tuple(sections)
        self._results = results
        self._lock = threading.Lock()
        self._built: tuple[Sequence[_Entry], Postings] | None = None

    def search(
        self, text: str, *, limit: int = 20, without: Collection[str] = ()
    ) -> list[Hit]:
        """Best first; `without` holds ids of cards to leave out."""
        entries, scores, matched = self._scores(text)
        seen = (
            (number, score)
            for number, score in scores.items()
            if entries[number].kind != "card" or entries[number].id not in without
        )
        best = heapq.nsmallest(limit, seen, key=lambda item: (-item[1], item[0]))
        return [_hit(entries[number], score, matched) for number, score in best]

    def card_ids(self, text: str) -> list[str]:
        """All cards that match, best first."""
        entries, scores, _ = self._scores(text)
        best = sorted(scores, key=lambda number: (-scores[number], number))
        return [entries[n].id for n in best if entries[n].kind == "card"]

    def _scores(self, text: str) -> tuple[Sequence[_Entry], dict[int, float], set[str]]:
        entries, postings = self._ready()
        scores: dict[int, float] = defaultdict(float)
        matched: set[str] = set()
        for word, unfinished in _asked(text).items():
            variants = postings.variants(word, unfinished=unfinished)
            matched.update(variants)
            postings.add_scores(variants, scores)
        return entries, scores, matched

    def _ready(self) -> tuple[Sequence[_Entry], Postings]:
        with self._lock:
            if self._built is None:
                self._built = self._build()
            return self._built

    def _build(self) -> tuple[Sequence[_Entry], Postings]:
        entries: list[_Entry] = []
        texts: list[tuple[str, str]] = []
        for card in self._cards:
            question = self._line(card.question.markdown)
            title = card.title_text
            entries.append(_Entry("card", card.id, title, question))
            texts.append((title, _card_text(card)))
        for section in self._sections:
            line = self._line(section.body.markdown)
            title = plain_text(section.title)
            entries.append(_Entry("section", section.number, title, line))
            texts.append((title, line))
        return entries, Postings.build(texts)

    def _line(self, markdown: str) -> str:
        return " ".join(plain_text(filled_in(markdown, self._results)).split())


def _asked(text: str) -> dict[str, bool]:
    """The words to look for, and whether a word may be the start of a longer one."""
    found = list(words(text))
    return {
        part.word: bool(part.end == len(text) and part is found[-1]) for part in found
    }


def _card_text(card: Card) -> str:
    texts = [passage.markdown for passage in card.passages()]
    texts += [rung.title for rung in card.follow_ups]
    texts += [wrong.quote for wrong in card.wrong_answers]
    return "\n".join([*texts, *card.topics, card.id])


def _hit(entry: _Entry, score: float, matched: Collection[str]) -> Hit:
    title = snippet(entry.title, matched)
    shown = snippet(entry.shown, matched, _SNIPPET)
    return Hit(entry.kind, entry.id, title, shown, score)
