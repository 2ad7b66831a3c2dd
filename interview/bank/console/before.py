"""What is before the candidate, and what may be put there next."""

from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString

from interview.web.card_texts import Texts

from ..models import Evidence, Score
from .desk import Desk

QUESTION = ""
"""Stands for the question itself where a follow-up has its id."""


@dataclass(frozen=True, slots=True)
class Next:
    """What the one key puts before the candidate."""

    rung_id: str
    words: str


@dataclass(frozen=True, slots=True)
class Before:
    """What the candidate sees now."""

    position: int
    """Of the question; 0 when nothing is before them."""
    level: str
    """Of the follow-up; "" for the question itself."""
    text: SafeString
    """Of the follow-up, as the candidate reads it."""
    rung_id: str
    """Of the question at hand; "" also when another question is asked."""
    is_here: bool
    """It is the question at hand, or one of its follow-ups."""
    next: Next | None
    """None after the last follow-up of the question at hand."""
    evidence: Evidence | None

    @classmethod
    def of(cls, desk: Desk, texts: dict[str, Texts]) -> Self:
        """`texts` by card id, as far as the cards can be read."""
        interview = desk.interview
        asked = next(
            (s for s in desk.scores if s.asked_id == interview.asked_now_id), None
        )
        is_here = asked is not None and asked.pk == desk.score.pk
        rung_id = interview.rung_now if is_here else QUESTION
        level, text = _rung(asked, interview.rung_now, texts)
        return cls(
            position=asked.asked.question.position if asked else 0,
            level=level,
            text=text,
            rung_id=rung_id,
            is_here=is_here,
            next=_next(desk, rung_id, is_here=is_here),
            evidence=interview.evidence_now,
        )


def _rung(
    asked: Score | None, rung_id: str, texts: dict[str, Texts]
) -> tuple[str, SafeString]:
    found = texts.get(asked.card_id) if asked else None
    rung = found.card.follow_up(rung_id) if found else None
    return (rung.level, found.inline(rung.title)) if found and rung else ("", _NOTHING)


_NOTHING = SafeString()


def _next(desk: Desk, rung_id: str, *, is_here: bool) -> Next | None:
    if not is_here:
        return Next(QUESTION, "the question")
    ids = [rung.id for rung in desk.rungs]
    after = ids.index(rung_id) + 1 if rung_id in ids else 0
    following = desk.rungs[after : after + 1]
    return Next(following[0].id, following[0].level) if following else None
