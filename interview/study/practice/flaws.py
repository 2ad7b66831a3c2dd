"""Spot the flaw: right sentences of a card among the wrong answers people give to it.

What somebody marked is in the address of the page; nothing of it is graded.
"""

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.safestring import SafeString

from interview.cards.card import Card
from interview.cards.library import Library
from interview.web.card_texts import Texts, WrongView
from interview.web.rendering import renderer_of

from ..item_name import SPOT_THE_FLAW
from .statements import statements

FLAWS = 3
RIGHT = (2, 3)
"""At least and at most: their number must not tell which ones they are."""


class Mark(StrEnum):
    RIGHT = "right"
    FLAWED = "flawed"


@dataclass(frozen=True, slots=True)
class Statement:
    id: str
    """Names its field in forms and addresses, and says nothing of what it is; the same
    while seed and text are the same."""
    text: SafeString
    wrong: WrongView | None
    """The card's reason; None when the statement is right."""
    stands_in: str
    """Where a right one is from: "short answer" or "full answer"."""
    around: SafeString
    """The paragraph that it is from."""

    @property
    def is_flaw(self) -> bool:
        return self.wrong is not None


@dataclass(frozen=True, slots=True)
class Judged:
    statement: Statement
    mark: Mark | None
    """None: not marked."""

    @property
    def is_hit(self) -> bool:
        flawed = self.mark is Mark.FLAWED
        return self.mark is not None and flawed == self.statement.is_flaw


@dataclass(frozen=True, slots=True)
class Drill:
    judged: Sequence[Judged]
    reasons: str
    """What somebody typed, to compare with the card's reasons."""
    is_compared: bool
    """Before that the page must not tell flaws and right statements apart."""

    @property
    def is_marked(self) -> bool:
        return any(one.mark for one in self.judged)

    @property
    def place(self) -> str:
        """Of what is typed, among the attempts at the card."""
        return SPOT_THE_FLAW

    @property
    def hits(self) -> int:
        return sum(one.is_hit for one in self.judged)


def drill(card: Card, library: Library, seed: int) -> list[Statement]:
    """Some wrong answers of the card and some of its right sentences, mixed.

    The same seed gives the same ones in the same order.
    """
    chance = random.Random(f"{seed}/{card.id}")
    texts = Texts(card, library, renderer_of(library))
    wrongs = chance.sample(card.wrong_answers, min(FLAWS, len(card.wrong_answers)))
    found = [
        Statement(_id(seed, wrong.quote), view.quote, view, "", SafeString())
        for wrong in wrongs
        for view in [texts.wrong(wrong)]
    ]
    rights = right_sentences(card)
    wanted = min(chance.randint(*RIGHT), len(rights))
    found += [
        Statement(
            _id(seed, sentence),
            texts.inline(sentence),
            None,
            where,
            texts.inline(paragraph),
        )
        for where, paragraph, sentence in chance.sample(rights, wanted)
    ]
    chance.shuffle(found)
    return found


def right_sentences(card: Card) -> list[tuple[str, str, str]]:
    """(where, paragraph, sentence) of the short answer, of the full one if it has few.

    A card without a sentence that stands alone gives its first paragraph.
    """
    passages = {"short answer": card.short, "full answer": card.full}
    found = [
        (where, paragraph, sentence)
        for where, passage in passages.items()
        for paragraph, sentence in statements(passage.markdown)
    ]
    short = [right for right in found if right[0] == "short answer"]
    first = card.short.markdown.split("\n")[0]
    return (short if len(short) >= RIGHT[1] else found) or [
        ("short answer", first, first)
    ]


def judged(drilled: Sequence[Statement], marks: Mapping[str, str]) -> list[Judged]:
    """The statements with what was said of each: `marks` has id -> "right"/"flawed"."""
    return [Judged(one, _mark(marks.get(one.id, ""))) for one in drilled]


def _mark(word: str) -> Mark | None:
    return Mark(word) if word in list(Mark) else None


def _id(seed: int, text: str) -> str:
    return "flaw-" + hashlib.sha256(f"{seed}/{text}".encode()).hexdigest()[:8]
