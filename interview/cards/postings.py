"""An inverted index with BM25 weights: from words to the texts that hold them."""

import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from interview.cards.words import counts

_TITLE_WEIGHT = 4
_K1, _B = 1.2, 0.75
_LONGER_WORDS = 40
_OTHER_WEIGHT = 0.5  # of a longer word or of one with a typing error


@dataclass(frozen=True, slots=True)
class _Posting:
    texts: array[int]
    weights: array[float]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    _postings: Mapping[str, _Posting]
    _sorted: Sequence[str]
    _by_length: Mapping[int, Sequence[str]]

    @classmethod
    def build(cls, texts: Iterable[tuple[str, str]]) -> "Postings":
        """Index pairs of title and text; texts are numbered from 0."""
        postings = _weigh([_count(title, text) for title, text in texts])
        by_length = defaultdict(list)
        for word in postings:
            by_length[len(word)].append(word)
        return cls(postings, sorted(postings), by_length)

    def variants(self, word: str, *, unfinished: bool) -> dict[str, float]:
        """Words of the index to look for instead of this one, with their weight."""
        found = {word: 1.0} if word in self._postings else {}
        if unfinished:
            for longer in self._starting_with(word):
                found.setdefault(longer, _OTHER_WEIGHT)
        return found or dict.fromkeys(self._similar(word), _OTHER_WEIGHT)

    def add_scores(
        self, variants: Mapping[str, float], scores: dict[int, float]
    ) -> None:
        """Add to each text's score the weight of its best variant."""
        best: dict[int, float] = {}
        for word, factor in variants.items():
            posting = self._postings[word]
            for text, weight in zip(posting.texts, posting.weights, strict=True):
                weight *= factor
                if weight > best.get(text, 0.0):
                    best[text] = weight
        for text, weight in best.items():
            scores[text] += weight

    def _starting_with(self, prefix: str) -> Sequence[str]:
        start = bisect_left(self._sorted, prefix)
        some = self._sorted[start : start + _LONGER_WORDS]
        return [word for word in some if word.startswith(prefix)]

    def _similar(self, word: str) -> list[str]:
        """Words at one typing error, or two in a long word; the nearest only."""
        if len(word) < 4:
            return []
        far = 1 if len(word) < 8 else 2
        sizes = range(len(word) - far, len(word) + far + 1)
        some = [other for size in sizes for other in self._by_length.get(size, ())]
        near = process.extract(
            word, some, scorer=OSA.distance, score_cutoff=far, limit=5
        )
        return [other for other, distance, _ in near if distance == near[0][1]]


def _count(title: str, text: str) -> Counter[str]:
    found = counts(text)
    for word, times in counts(title).items():
        found[word] += _TITLE_WEIGHT * times
    return found


def _weigh(texts: Sequence[Counter[str]]) -> dict[str, _Posting]:
    """BM25: idf x tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))."""
    lengths = [count.total() for count in texts]
    mean = sum(lengths) / len(lengths) if lengths else 1
    found: dict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
    for number, count in enumerate(texts):
        norm = _K1 * (1 - _B + _B * lengths[number] / mean)
        for word, times in count.items():
            numbers, weights = found[word]
            numbers.append(number)
            weights.append(times * (_K1 + 1) / (times + norm))
    return {
        word: _posting(numbers, weights, len(texts))
        for word, (numbers, weights) in found.items()
    }


def _posting(numbers: list[int], weights: list[float], texts: int) -> _Posting:
    holding = len(numbers)
    idf = math.log(1 + (texts - holding + 0.5) / (holding + 0.5))
    return _Posting(array("I", numbers), array("f", [idf * w for w in weights]))
