"""Whether a kit asks everybody fairly: what stands against it, and what to do.

Knows no database. That all get the same follow-ups needs no check: a version is frozen
when an interview uses it first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from interview.cards.card import Card, Status
from interview.cards.draw import minutes_for
from interview.cards.library import Library

from ..models import Line

FEW = 3
"""So many questions may be of one topic; of more it is no more than half."""
PLAUSIBLE = 2
"""Minutes may be so many times what the card takes, or that part of it."""


class Weight(StrEnum):
    ERROR = "error"
    """Two candidates would not be asked, or not be rated, alike."""
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class Finding:
    weight: Weight
    position: int
    """Of the question; 0 for the kit as a whole."""
    sentence: str
    what_to_do: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What a kit is for."""

    role: str
    """"" for every role."""
    level: str


@dataclass(frozen=True, slots=True)
class Question:
    """A line of the kit and its card as it is today."""

    position: int
    line: Line
    card: Card

    @property
    def levels(self) -> list[str]:
        """Of the follow-ups that are asked, lowest first, each once."""
        found = map(self.card.follow_up, self.line.rung_ids)
        return sorted({rung.level for rung in found if rung})

    def error(self, sentence: str, what_to_do: str) -> Finding:
        return Finding(Weight.ERROR, self.position, sentence, what_to_do)

    def advice(self, sentence: str, what_to_do: str) -> Finding:
        return Finding(Weight.ADVICE, self.position, sentence, what_to_do)


@dataclass(frozen=True, slots=True)
class Fairness:
    findings: Sequence[Finding]
    """Errors first, then by position."""

    @classmethod
    def of(
        cls,
        lines: Sequence[Line],
        frame: Frame,
        library: Library,
        leaked: Mapping[str, str],
    ) -> Self:
        """`leaked` has the reason by card id."""
        found = list(_findings(lines, frame, library, leaked))
        order = list(Weight)
        return cls(sorted(found, key=lambda f: (order.index(f.weight), f.position)))

    @property
    def errors(self) -> list[Finding]:
        return [each for each in self.findings if each.weight is Weight.ERROR]

    @property
    def advice(self) -> list[Finding]:
        return [each for each in self.findings if each.weight is Weight.ADVICE]


def _findings(
    lines: Sequence[Line],
    frame: Frame,
    library: Library,
    leaked: Mapping[str, str],
) -> Iterator[Finding]:
    questions = []
    for position, line in enumerate(lines, start=1):
        card = library.cards.get(line.card_id)
        if card:
            questions.append(Question(position, line, card))
        else:
            yield _gone(position, line, library)
    places: dict[str, int] = {}
    for each in questions:
        places.setdefault(each.card.id, each.position)
    for each in questions:
        yield from _of_card(each, library, leaked)
        yield from _of_order(each, places, library)
        yield from _of_climb(each)
        yield from _of_minutes(each)
        yield from _of_frame(each, frame, library)
    yield from _of_topics(questions, library)
    if not lines:
        yield Finding(
            Weight.ERROR, 0, "The kit has no question.", "Add cards, or draw a set."
        )


def _gone(position: int, line: Line, library: Library) -> Finding:
    why = library.gone.get(line.card_id, "")
    sentence = f"Card {line.card_id} left the content{f': {why}' if why else '.'}"
    return Finding(Weight.ERROR, position, sentence, "Take it out of the kit.")


def _of_card(
    question: Question, library: Library, leaked: Mapping[str, str]
) -> Iterator[Finding]:
    card = question.card
    if card.status is Status.RETIRED:
        yield question.error("The card is retired.", "Ask another card instead.")
    if card.status is Status.DRAFT:
        yield question.error(
            "The card is a draft: its answers may still change between two interviews.",
            "Publish it, or make it kit-only.",
        )
    if fault := library.fault(card):
        yield question.error(
            f"The card’s file is broken, so its last good text is asked: "
            f"{fault.message}",
            f"Mend line {fault.place.line} of {fault.path}.",
        )
    if card.id in leaked:
        why = leaked[card.id]
        yield question.error(
            f"Candidates know this card{f': {why}' if why else '.'}",
            "Ask another card instead.",
        )


def _of_order(
    question: Question, places: Mapping[str, int], library: Library
) -> Iterator[Finding]:
    first = places[question.card.id]
    if first != question.position:
        yield question.error(
            f"The card is question {first} already.", "Take one of the two out."
        )
    for need in question.card.needs:
        after = places.get(need, 0)
        if after > question.position:
            yield question.error(
                f"It builds on “{library.cards[need].title_text}”, "
                f"which is question {after}.",
                f"Move question {after} before it.",
            )


def _of_climb(question: Question) -> Iterator[Finding]:
    card, line, levels = question.card, question.line, question.levels
    for rung_id in line.rung_ids:
        if card.follow_up(rung_id) is None:
            yield question.error(
                f"The card has no follow-up {rung_id} any more.",
                "Choose the follow-ups again.",
            )
    if not levels:
        return
    known = {rung.level for rung in card.follow_ups}
    holes = [level for level in sorted(known - {*levels}) if level < levels[-1]]
    if holes:
        yield question.error(
            f"It asks at {levels[-1]} but not at {_and(holes)}: whoever ends there is "
            "rated too low.",
            f"Choose a follow-up at {_and(holes)}, or none above.",
        )


def _of_minutes(question: Question) -> Iterator[Finding]:
    line = question.line
    usual = minutes_for(question.card, len(line.rung_ids))
    if line.minutes * PLAUSIBLE < usual:
        yield question.advice(
            f"{line.minutes} min are few: the card takes about {usual} with these "
            "follow-ups.",
            "Give it more time, or ask fewer follow-ups.",
        )
    elif line.minutes > usual * PLAUSIBLE:
        yield question.advice(
            f"{line.minutes} min are many: the card takes about {usual} with these "
            "follow-ups.",
            "Give the time to another question.",
        )


def _of_frame(question: Question, frame: Frame, library: Library) -> Iterator[Finding]:
    card, levels = question.card, question.levels
    if frame.role and frame.role not in card.roles:
        role = library.vocabulary.roles.get(frame.role, frame.role)
        yield question.advice(
            f"The card is not written for {role}.",
            "Ask another card, or choose another role for the kit.",
        )
    if levels and levels[-1] < frame.level:
        yield question.advice(
            f"Its follow-ups end at {levels[-1]}, so no answer to it can show "
            f"{frame.level}.",
            f"Choose its follow-ups up to {frame.level}, if it is to tell.",
        )


def _of_topics(questions: Sequence[Question], library: Library) -> Iterator[Finding]:
    """By a card's first topic, as sets are drawn."""
    counts = Counter(each.card.topics[0] for each in questions)
    for slug, count in counts.most_common(1):
        if count > FEW and count * 2 > len(questions):
            topic = library.vocabulary.topics.get(slug, slug)
            yield Finding(
                Weight.ADVICE,
                0,
                f"{count} of {len(questions)} questions are of one topic: {topic}.",
                "Ask cards of other topics, unless the kit is for this one.",
            )


def _and(levels: Sequence[str]) -> str:
    """ "L1", "L1 and L2", "L1, L2 and L3" """
    *head, last = levels
    return f"{', '.join(head)} and {last}" if head else last
