"""What a mock interview showed: how far one climbed, where it ended, what to do next.

It says levels and gaps and never a score: a few questions measure no person.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from interview.cards.card import Audience, Card, FollowUp, WrongAnswer
from interview.cards.experiment import Claim, Experiment
from interview.cards.library import Library
from interview.cards.manual import ContentsEntry
from interview.recall.grade import Grade

from .question import Question

GRADES = tuple(Grade)


@dataclass(frozen=True, slots=True)
class Gap:
    """An answer that was not Solid."""

    position: int
    card: Card
    rung: FollowUp | None
    """None: the question itself."""
    grade: Grade

    @property
    def order(self) -> tuple[int, str, int]:
        """The weakest first: the worst grade, then the lowest rung."""
        return (
            GRADES.index(self.grade),
            self.rung.level if self.rung else "",
            self.position,
        )


@dataclass(frozen=True, slots=True)
class Climb:
    """How far the answers to one question went without a gap."""

    question: Question
    card: Card
    reached: str | None
    """The level of the highest rung that was Solid with all below it; "" for the
    question alone. None: not even that, or not graded yet."""
    is_open: bool
    """An answer without a grade kept it from being more."""
    gaps: Sequence[Gap]

    @classmethod
    def of(cls, question: Question, card: Card) -> Self:
        reached, is_open = None, False
        for item in question.asked:
            grade = question.grade(item)
            if grade is not Grade.SOLID:
                is_open = grade is None
                break
            rung = card.follow_up(item)
            reached = rung.level if rung else ""
        return cls(question, card, reached, is_open, list(_gaps(question, card)))

    @property
    def is_graded(self) -> bool:
        """The question at least."""
        return self.question.grade("") is not None

    @property
    def gap(self) -> Gap | None:
        """The lowest."""
        return next(iter(self.gaps), None)

    @property
    def is_doubtful(self) -> bool:
        """Worth another look: a gap, a wrong answer that was said, a rung passed."""
        question = self.question
        passed = bool(question.asked and question.unasked)
        return bool(self.gaps or question.said or passed)


@dataclass(frozen=True, slots=True)
class Topic:
    title: str
    climbs: Sequence[Climb]

    @property
    def is_graded(self) -> bool:
        return any(climb.is_graded for climb in self.climbs)

    @property
    def is_open(self) -> bool:
        return any(climb.is_open for climb in self.climbs)

    @property
    def reached(self) -> str | None:
        """The lowest of its questions, as far as they are graded."""
        lowest: str | None = None
        for climb in self.climbs:
            if climb.is_graded and climb.reached is None:
                return None
            if climb.reached is not None:
                # "" is the question alone, the lowest there is.
                known = climb.reached if lowest is None else lowest
                lowest = min(known, climb.reached)
        return lowest


@dataclass(frozen=True, slots=True)
class Reading:
    section: ContentsEntry
    cards: Sequence[Card]
    """Of the questions that it would have helped with."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """An experiment, and what it would settle."""

    experiment: Experiment
    wrong: WrongAnswer | None
    """The wrong answer that was said; None: `card` was not Solid."""
    claim: Claim | None
    card: Card


@dataclass(frozen=True, slots=True)
class Report:
    topics: Sequence[Topic]
    weakest: Gap | None
    reading: Sequence[Reading]
    cards: Sequence[Card]
    """To read again: those with a gap, before each of them what it builds on."""
    doubts: Sequence[Doubt]
    ungraded: int
    """Answers that were given and not graded yet."""
    unasked: int
    """Questions that the time, or the person, left out."""
    gone: int
    """Questions whose cards left the content."""

    @classmethod
    def of(cls, questions: Sequence[Question], library: Library) -> Self:
        climbs = [Climb.of(q, q.card) for q in questions if q.asked and q.card]
        doubtful = [climb for climb in climbs if climb.is_doubtful]
        gaps = (gap for climb in climbs for gap in climb.gaps)
        return cls(
            topics=list(_topics(climbs, library)),
            weakest=min(gaps, key=lambda gap: gap.order, default=None),
            reading=_reading(doubtful, library),
            cards=_cards(doubtful, library),
            doubts=list(_doubts(doubtful, library)),
            ungraded=sum(len(each.ungraded) for each in questions),
            unasked=sum(each.step.asked_at is None for each in questions),
            gone=sum(each.card is None for each in questions),
        )


def _gaps(question: Question, card: Card) -> Iterable[Gap]:
    for item in question.asked:
        grade = question.grade(item)
        if grade and grade is not Grade.SOLID:
            yield Gap(question.step.position, card, card.follow_up(item), grade)


def _topics(climbs: Sequence[Climb], library: Library) -> Iterable[Topic]:
    order = list(library.vocabulary.topics)

    def place(climb: Climb) -> int:
        topic = _topic(climb)
        return order.index(topic) if topic in order else len(order)

    for topic, group in groupby(sorted(climbs, key=place), _topic):
        yield Topic(str(library.vocabulary.topics.get(topic, topic)), list(group))


def _topic(climb: Climb) -> str:
    return climb.card.topics[0]


def _reading(doubtful: Sequence[Climb], library: Library) -> list[Reading]:
    cards: dict[str, list[Card]] = {}
    for climb in doubtful:
        for number in climb.card.taught_in:
            cards.setdefault(number, []).append(climb.card)
    entries = ((library.contents.entry(number), cards[number]) for number in cards)
    return [Reading(entry, found) for entry, found in entries if entry]


def _cards(doubtful: Sequence[Climb], library: Library) -> list[Card]:
    """Who missed a question may miss what it builds on, so that comes first."""
    found: dict[str, Card] = {}
    for climb in doubtful:
        missed = climb.question.grade("") is Grade.MISSED
        for need in climb.card.needs if missed else ():
            below = library.visible(need, Audience.CANDIDATE)
            if below:
                found.setdefault(need, below)
        found.setdefault(climb.card.id, climb.card)
    return list(found.values())


def _doubts(doubtful: Sequence[Climb], library: Library) -> Iterable[Doubt]:
    """One for each experiment; a wrong answer that was said is the better reason."""
    seen: set[str] = set()
    said = [(climb.card, wrong) for climb in doubtful for wrong in climb.question.said]
    for card, wrong in said:
        experiment = library.experiments.get(wrong.experiment or "")
        if experiment and experiment.id not in seen:
            seen.add(experiment.id)
            claims = experiment.claims_against(card.id, wrong.id)
            yield Doubt(experiment, wrong, next(iter(claims), None), card)
    for climb in doubtful:
        for name in climb.card.experiments:
            experiment = library.experiments.get(name)
            if experiment and name not in seen:
                seen.add(name)
                yield Doubt(experiment, None, None, climb.card)
