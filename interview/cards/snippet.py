"""A stretch of plain text with the places of the words that were found."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from interview.cards.words import Found, places


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    marks: tuple[tuple[int, int], ...]
    """Start and end of each place to highlight, in order, never overlapping."""


def snippet(text: str, matched: Collection[str], size: int | None = None) -> Snippet:
    """About `size` characters with the most matches, cut at words; all without it."""
    return cut(text, list(places(text, matched)), size)


def cut(text: str, found: Sequence[Found], size: int | None = None) -> Snippet:
    """The same of places that are known already, in order."""
    start, end = (0, len(text)) if size is None else _stretch(text, found, size)
    before = "… " if start else ""
    after = " …" if end < len(text) else ""
    shift = len(before) - start
    inside = [p for p in found if start <= p.start and p.end <= end]
    marks = tuple((p.start + shift, p.end + shift) for p in _apart(inside))
    return Snippet(before + text[start:end] + after, marks)


def _stretch(text: str, found: Sequence[Found], size: int) -> tuple[int, int]:
    if len(text) <= size:
        return 0, len(text)
    starts = [place.start for place in found] or [0]
    best = max(starts, key=lambda s: (sum(s <= o < s + size for o in starts), -s))
    start = max(0, min(best - size // 4, len(text) - size))
    start = text.find(" ", start) + 1 if start else 0
    end = start + size
    return start, text.rfind(" ", start, end) if end < len(text) else len(text)


def _apart(found: Sequence[Found]) -> list[Found]:
    """The places without those that lie in one before."""
    kept: list[Found] = []
    for place in found:
        if not kept or place.start >= kept[-1].end:
            kept.append(place)
    return kept
