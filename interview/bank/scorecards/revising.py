"""The form that revises a submitted question: its marks beside the expected answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from interview.cards.outline import Passage
from interview.rating.rating import Mark
from interview.rating.words import MARKS

from ..console.sent import SentMarks
from .question import Worded
from .sheet import Entry


@dataclass(frozen=True, slots=True)
class RungField:
    rung: Worded
    expected: Passage
    mark: Mark | None
    hinted: bool


@dataclass(frozen=True, slots=True)
class WrongField:
    wrong: Worded
    heard: bool


@dataclass(frozen=True, slots=True)
class Revising:
    entry: Entry
    """As it is saved."""
    rungs: Sequence[RungField]
    wrongs: Sequence[WrongField]
    not_asked: bool

    marks = tuple(MARKS.items())

    @classmethod
    def of(cls, entry: Entry, sent: SentMarks) -> Self:
        """The fields hold `sent`: what is saved, or what was sent and refused."""
        question = entry.question
        follow_ups = {each.id: each for each in question.follow_ups}
        return cls(
            entry=entry,
            rungs=[
                RungField(
                    rung,
                    follow_ups[rung.id].answer,
                    sent.marks.get(rung.id),
                    rung.id in sent.hinted,
                )
                for rung in question.rungs
            ],
            wrongs=[
                WrongField(wrong, wrong.id in sent.said) for wrong in question.wrongs
            ],
            not_asked=sent.not_asked,
        )
