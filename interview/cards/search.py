"""Search in memory: BM25 over cards and manual sections, tolerant of typos.

It knows no HTML: a snippet is text with the places to mark.
"""

import math
import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from interview.cards.card import Card
from interview.cards.manual import ManualSection
from interview.cards.plain import plain_text
from interview.cards.quotes import filled_in
from interview.cards.results import ResultSet
from interview.cards.words import Found, words

_TITLE_WEIGHT = 4
_K1, _B = 1.2, 0.75
_PREFIX_WORDS = 40
_SNIPPET = 180
_INNER_WEIGHT = 0.5  # of a word that is only the beginning of a longer one, or a typo


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    marks: tuple[tuple[int, int], ...]
    """Start and end of each place to highlight, in order, never overlapping."""


@dataclass(frozen=True, slots=True)
class Hit:
    kind: str
    """"card" or "section"."""
    id: str
    """The card's id or the section's number."""
    title: Snippet
    snippet: Snippet
    score: float


@dataclass(frozen=True, slots=True)
class _Page:
    kind: str
    id: str
    title: str
    shown: str
    """Markdown from which snippets may be cut."""


@dataclass(frozen=True, slots=True)
class _Posting:
    pages: array[int]
    weights: array[float]


@dataclass(frozen=True, slots=True, eq=False)
class SearchIndex:
    _pages: Sequence[_Page]
    _postings: Mapping[str, _Posting]
    _vocabulary: Sequence[str]
    """All words, sorted."""
    _by_length: Mapping[int, Sequence[str]]

    @classmethod
    def build(
        cls,
        cards: Iterable[Card],
        sections: Iterable[ManualSection],
        results: Mapping[str, ResultSet],
    ) -> "SearchIndex":
        pages, counts = [], []
        for card in cards:
            question = filled_in(card.question.markdown, results)
            pages.append(_Page("card", card.id, card.title, question))
            counts.append(_count(card.title, _card_text(card)))
        for section in sections:
            body = filled_in(section.body.markdown, results)
            pages.append(_Page("section", section.number, section.title, body))
            counts.append(_count(section.title, body))
        postings = _weigh(counts)
        by_length = defaultdict(list)
        for word in postings:
            by_length[len(word)].append(word)
        return cls(pages, postings, sorted(postings), by_length)

    def search(
        self, text: str, *, limit: int = 20, without: Collection[str] = ()
    ) -> list[Hit]:
        """Best first; `without` holds ids of cards to leave out."""
        scores, matched = self._scores(text)
        found = []
        for page_number, score in _best(scores):
            page = self._pages[page_number]
            if page.kind == "card" and page.id in without:
                continue
            title = _marked(plain_text(page.title), matched, None)
            snippet = _marked(_one_line(page.shown), matched, _SNIPPET)
            found.append(Hit(page.kind, page.id, title, snippet, score))
            if len(found) == limit:
                break
        return found

    def card_ids(self, text: str) -> list[str]:
        """All cards that match, best first."""
        scores, _ = self._scores(text)
        pages = (self._pages[number] for number, _ in _best(scores))
        return [page.id for page in pages if page.kind == "card"]

    def _scores(self, text: str) -> tuple[dict[int, float], set[str]]:
        scores: dict[int, float] = defaultdict(float)
        matched: set[str] = set()
        asked = list(words(text))
        last = asked[-1].end if asked and asked[-1].end == len(text) else None
        for found in dict.fromkeys(asked):
            variants = self._variants(found.word, prefix=found.end == last)
            matched.update(variants)
            for page, weight in self._merged(variants).items():
                scores[page] += weight
        return scores, matched

    def _variants(self, word: str, *, prefix: bool) -> dict[str, float]:
        """Words of the index to look for instead of this one, with their weight."""
        found = {word: 1.0} if word in self._postings else {}
        if prefix:
            for longer in self._starting_with(word):
                found.setdefault(longer, _INNER_WEIGHT)
        return found or dict.fromkeys(self._similar(word), _INNER_WEIGHT)

    def _starting_with(self, prefix: str) -> Sequence[str]:
        start = bisect_left(self._vocabulary, prefix)
        some = self._vocabulary[start : start + _PREFIX_WORDS]
        return [word for word in some if word.startswith(prefix)]

    def _similar(self, word: str) -> list[str]:
        """Words at one typing error, or two in a long word; the nearest only."""
        if len(word) < 4:
            return []
        far = 1 if len(word) < 8 else 2
        near = process.extract(
            word,
            [
                other
                for size in range(len(word) - far, len(word) + far + 1)
                for other in self._by_length.get(size, ())
            ],
            scorer=OSA.distance,
            score_cutoff=far,
            limit=5,
        )
        return [other for other, distance, _ in near if distance == near[0][1]]

    def _merged(self, variants: Mapping[str, float]) -> dict[int, float]:
        """For each page the weight of its best variant."""
        best: dict[int, float] = {}
        for word, factor in variants.items():
            posting = self._postings[word]
            for page, weight in zip(posting.pages, posting.weights, strict=True):
                if weight * factor > best.get(page, 0.0):
                    best[page] = weight * factor
        return best


def _card_text(card: Card) -> str:
    texts = [passage.markdown for passage in card.passages()]
    texts += [rung.title for rung in card.follow_ups]
    texts += [wrong.quote for wrong in card.wrong_answers]
    texts += [*card.topics, card.id]
    return "\n".join(texts)


def _count(title: str, text: str) -> Counter[str]:
    counts = Counter(found.word for found in words(text))
    for found in words(title):
        counts[found.word] += _TITLE_WEIGHT
    return counts


def _weigh(counts: Sequence[Counter[str]]) -> dict[str, _Posting]:
    """BM25: idf x tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))."""
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / len(lengths) if lengths else 1
    pages: dict[str, _Posting] = {}
    for number, count in enumerate(counts):
        for word, times in count.items():
            if word not in pages:
                pages[word] = _Posting(array("I"), array("f"))
            norm = _K1 * (1 - _B + _B * lengths[number] / mean)
            pages[word].pages.append(number)
            pages[word].weights.append(times * (_K1 + 1) / (times + norm))
    for posting in pages.values():
        holding = len(posting.pages)
        idf = math.log(1 + (len(counts) - holding + 0.5) / (holding + 0.5))
        posting.weights[:] = array("f", (idf * weight for weight in posting.weights))
    return pages


def _best(scores: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def _one_line(markdown: str) -> str:
    return re.sub(r"\s+", " ", plain_text(markdown))


def _marked(text: str, matched: Collection[str], size: int | None) -> Snippet:
    """The stretch of text with the most matches, cut at words."""
    places = [found for found in words(text) if found.word in matched]
    start, end = (0, len(text)) if size is None else _stretch(text, places, size)
    before = "… " if start else ""
    after = " …" if end < len(text) else ""
    shift = len(before) - start
    inside = [p for p in places if start <= p.start and p.end <= end]
    marks = tuple((p.start + shift, p.end + shift) for p in _apart(inside))
    return Snippet(before + text[start:end] + after, marks)


def _stretch(text: str, places: Sequence[Found], size: int) -> tuple[int, int]:
    if len(text) <= size:
        return 0, len(text)
    starts = [place.start for place in places] or [0]
    best = max(starts, key=lambda s: (sum(s <= o < s + size for o in starts), -s))
    start = max(0, min(best - size // 4, len(text) - size))
    start = text.find(" ", start) + 1 if start else 0
    end = start + size
    return start, text.rfind(" ", start, end) if end < len(text) else len(text)


def _apart(places: Sequence[Found]) -> list[Found]:
    """The places without those that lie in one before."""
    kept: list[Found] = []
    for place in places:
        if not kept or place.start >= kept[-1].end:
            kept.append(place)
    return kept
