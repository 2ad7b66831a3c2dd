"""A scorecard to read: each question with its marks, notes and revisions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from django.db.models import Prefetch, QuerySet

from interview.rating.rating import Mark, Rated, Spread
from interview.rating.words import cap_words, level_word, mark_word
from interview.web.clock import clock_text

from ..models import Note, Score, Scorecard
from .change import Change
from .question import Question, Worded


@dataclass(frozen=True, slots=True)
class RungMark:
    rung: Worded
    mark: Mark | None
    hinted: bool

    @property
    def word(self) -> str:
        """ "met, with a hint" """
        word = mark_word(self.mark)
        return f"{word}, with a hint" if self.hinted else word


@dataclass(frozen=True, slots=True)
class NoteLine:
    note: Note
    interviewer: str
    level: str
    """Of the follow-up that it is about; "" for the question."""

    @property
    def at(self) -> str:
        """`12:03`, minutes and seconds since the interview began"""
        return clock_text(self.note.at_s)


@dataclass(frozen=True, slots=True)
class Entry:
    """One question on one scorecard."""

    question: Question
    interviewer: str
    score: Score
    rated: Rated
    marks: Sequence[RungMark]
    heard: Sequence[Worded]
    """Wrong answers."""
    notes: Sequence[NoteLine]
    changes: Sequence[Change]
    """Revisions, oldest first."""

    @classmethod
    def of(cls, question: Question, interviewer: str, score: Score) -> Self:
        marked, rungs = marks_of(score, question), question.for_rating
        hinted = () if score.not_asked else score.hinted
        levels = {rung.id: rung.level for rung in rungs}
        return cls(
            question=question,
            interviewer=interviewer,
            score=score,
            rated=score.rated(rungs),
            marks=[
                RungMark(rung, marked.get(rung.id), rung.id in hinted)
                for rung in question.rungs
            ],
            heard=[wrong for wrong in question.wrongs if wrong.id in score.said],
            notes=[
                NoteLine(note, interviewer, levels.get(note.rung_id, ""))
                for note in score.notes.all()
                if note.text
            ],
            changes=[
                Change.of(each, interviewer, question) for each in score.revisions.all()
            ],
        )

    @property
    def is_settled(self) -> bool:
        """Nothing is left to mark."""
        score = self.score
        return self.question.is_void or score.is_settled(self.question.for_rating)

    @property
    def word(self) -> str:
        """ "L3", "not asked", "not rated" """
        rated, score = level_word(self.score.rating), self.score
        return "not asked" if score.not_asked else rated

    @property
    def cap(self) -> str:
        if self.score.not_asked:
            return ""
        return cap_words(self.rated, self.question.for_rating)


def marks_of(score: Score, question: Question) -> dict[str, Mark]:
    """Of a question that was not asked no follow-up was asked, whatever had been
    marked before that was said."""
    if score.not_asked:
        return {rung.id: Mark.NOT_ASKED for rung in question.rungs}
    return score.marked()


@dataclass(frozen=True, slots=True)
class Sheet:
    card: Scorecard
    entries: Sequence[Entry]
    """In the order of the questions."""

    @property
    def interviewer(self) -> str:
        return self.card.interviewer.name

    @property
    def counting(self) -> list[Entry]:
        """Without voided questions."""
        return [each for each in self.entries if not each.question.is_void]

    @property
    def levels(self) -> Spread:
        """How often each level was reached."""
        return Spread.of([each.score.rating for each in self.counting])

    @property
    def unrated(self) -> int:
        """Questions without a rating, of those that count."""
        return sum(each.score.rating is None for each in self.counting)


def sheets_of(cards: QuerySet[Scorecard], questions: Iterable[Question]) -> list[Sheet]:
    """By the interviewers' names; four queries."""
    by_asked = {each.asked.pk: each for each in questions}
    found = (
        cards.select_related("interviewer")
        .order_by("interviewer__name_key")
        .prefetch_related(
            Prefetch("scores", Score.objects.order_by("asked__question__position")),
            "scores__notes",
            "scores__revisions",
        )
    )
    return [
        Sheet(
            card,
            [
                Entry.of(by_asked[score.asked_id], card.interviewer.name, score)
                for score in card.scores.all()
            ],
        )
        for card in found
    ]
