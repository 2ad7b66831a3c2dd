"""Where marks that were sent differ from those that are saved, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from interview.cards.plain import plain_text
from interview.rating.words import mark_word

from ..models import Score
from .desk import Desk
from .sent import SentMarks

YES_NO = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class Difference:
    of: str
    """"L2: its question", "hint at L2: …", "wrong answer 1"."""
    saved: str
    sent: str


def differences(desk: Desk, sent: SentMarks) -> list[Difference]:
    found = _pairs(desk, desk.score, sent)
    return [one for one in found if one.saved != one.sent]


def _pairs(desk: Desk, saved: Score, sent: SentMarks) -> Iterator[Difference]:
    follow_ups = desk.question.follow_ups(desk.card) if desk.card else []
    for rung in follow_ups:
        name = f"{rung.level}: {plain_text(rung.title)}"
        marks = [each.get(rung.id) for each in (saved.marked(), sent.marks)]
        yield Difference(name, *(mark_word(mark) for mark in marks))
        hints = [YES_NO[rung.id in each.hinted] for each in (saved, sent)]
        yield Difference(f"hint at {name}", *hints)
    for number, wrong in enumerate(desk.wrong_ids, 1):
        heard = [YES_NO[wrong in each.said] for each in (saved, sent)]
        yield Difference(f"wrong answer {number}", *heard)
    skipped = [YES_NO[each.not_asked] for each in (saved, sent)]
    yield Difference("not asked", *skipped)
