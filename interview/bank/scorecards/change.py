"""A revision in words: what stood there before, and what stands there now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from interview.rating.rating import Mark
from interview.rating.words import level_word, mark_word

from ..models import Revision
from .question import Question


@dataclass(frozen=True, slots=True)
class Difference:
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    revision: Revision
    interviewer: str
    before: str
    """The level; so is `after`."""
    after: str
    differences: Sequence[Difference]
    """Of marks, hints and wrong answers."""

    @classmethod
    def of(cls, revision: Revision, interviewer: str, question: Question) -> Self:
        before, after = revision.before, revision.after
        return cls(
            revision=revision,
            interviewer=interviewer,
            before=reached(before),
            after=reached(after),
            differences=list(_differences(before, after, question)),
        )


def reached(marked: Mapping[str, Any]) -> str:
    return "not asked" if marked["not_asked"] else level_word(marked["rating"])


def _differences(
    before: Mapping[str, Any], after: Mapping[str, Any], question: Question
) -> Iterator[Difference]:
    for rung in question.rungs:
        name = f"{rung.level} {rung.text}"
        one, other = (_mark(each["marks"].get(rung.id)) for each in (before, after))
        if one != other:
            yield Difference(name, one, other)
        if (rung.id in before["hinted"]) != (rung.id in after["hinted"]):
            hints = (_hint(rung.id in each["hinted"]) for each in (before, after))
            yield Difference(name, *hints)
    for wrong in question.wrongs:
        one, other = (_heard(wrong.id in each["said"]) for each in (before, after))
        if one != other:
            yield Difference(f"“{wrong.text}”", one, other)


def _mark(stored: str | None) -> str:
    return mark_word(Mark(stored) if stored else None)


def _hint(given: bool) -> str:
    return "with a hint" if given else "without a hint"


def _heard(heard: bool) -> str:
    return "heard" if heard else "not heard"
