"""What changed in a card's item since somebody was graded on it, word by word."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from interview.cards.card import Card
from interview.cards.plain import plain_text
from interview.cards.quotes import filled_in
from interview.web.content import library
from interview.web.models import CardVersion

from ..models import Item

AROUND = 10
"""Unchanged words shown on each side of a change."""


class Kind(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"
    LEFT_OUT = "left out"
    """Unchanged, and far from any change."""


@dataclass(frozen=True, slots=True)
class Run:
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class ChangedPart:
    title: str
    is_answer: bool
    """It shows what one may want to say first."""
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    parts: tuple[ChangedPart, ...]
    """Those that differ; empty when the old text can't be read any more."""

    @property
    def shows_answers(self) -> bool:
        return any(part.is_answer for part in self.parts)

    @property
    def only_answers(self) -> bool:
        return all(part.is_answer for part in self.parts)


def change_of(item: Item, card: Card) -> Changed | None:
    """None when the item's text is what it was, or when its rung is gone.

    Markup and white space don't count (`Card.item_hashes`).
    """
    if card.item_hashes().get(item.name, item.item_hash) == item.item_hash:
        return None
    version = CardVersion.objects.filter(hash=item.card_version).first()
    before = texts(version.card() if version else None, item.rung_id)
    parts = []
    for title, (text, is_answer) in texts(card, item.rung_id).items():
        old = before.get(title, (text, is_answer))[0]
        if words(old) != words(text):
            parts.append(ChangedPart(title, is_answer, word_diff(old, text)))
    return Changed(tuple(parts))


def texts(card: Card | None, rung_id: str) -> dict[str, tuple[str, bool]]:
    """Title -> (Markdown, whether it is an answer) of what an item's hash covers."""
    if card is None:
        return {}
    if not rung_id:
        return {
            "Question": (card.question.markdown, False),
            "Short answer": (card.short.markdown, True),
            "Full answer": (card.full.markdown, True),
        }
    rung = card.follow_up(rung_id)
    if rung is None:
        return {}
    return {
        "Follow-up": (rung.title, False),
        "Expected answer": (rung.answer.markdown, True),
    }


def words(markdown: str) -> list[str]:
    return plain_text(markdown).split()


def word_diff(old: str, new: str) -> tuple[Run, ...]:
    """Two texts as runs of words, with the numbers that they quote filled in."""
    results = library().results
    one, two = (words(filled_in(text, results)) for text in (old, new))
    if one == two:  # Another place of the same number.
        one, two = words(old), words(new)
    return runs(one, two)


def runs(old: list[str], new: list[str]) -> tuple[Run, ...]:
    """Each kept, removed or added; long kept ones are shortened."""
    found: list[Run] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for _, from_old, to_old, from_new, to_new in matcher.get_opcodes():
        gone, come = old[from_old:to_old], new[from_new:to_new]
        if gone == come:
            found += kept(gone, is_first=not from_old, is_last=to_old == len(old))
            continue
        found += [Run(Kind.REMOVED, " ".join(gone))] if gone else []
        found += [Run(Kind.ADDED, " ".join(come))] if come else []
    return tuple(found)


def kept(words: list[str], *, is_first: bool, is_last: bool) -> list[Run]:
    if len(words) <= 2 * AROUND:
        return [Run(Kind.SAME, " ".join(words))]
    before = [] if is_first else words[:AROUND]
    after = [] if is_last else words[-AROUND:]
    stretches = [(Kind.SAME, before), (Kind.LEFT_OUT, []), (Kind.SAME, after)]
    return [
        Run(kind, " ".join(stretch))
        for kind, stretch in stretches
        if stretch or kind is Kind.LEFT_OUT
    ]
