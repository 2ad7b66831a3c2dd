"""How far somebody has climbed, topic by topic. Knows items by name, no texts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from .forgetting import recall_after
from .grade import Grade

QUESTION = ""
"""The level of a card's question, which stands below its follow-ups."""


class Rung(NamedTuple):
    """A question or a follow-up that can be asked."""

    card_id: str
    rung_id: str
    """Blank: the question itself."""
    topic: str
    level: str
    """"L1" to "L4", or QUESTION."""

    @property
    def key(self) -> tuple[str, str]:
        return self[:2]


class Rungs(tuple[Rung, ...]):
    """All that somebody can be asked, in order: thousands, for ever the same, of which
    a page needs those few that were graded."""

    @cached_property
    def places(self) -> Mapping[tuple[str, str], int]:
        """By card and rung."""
        return {rung.key: place for place, rung in enumerate(self)}

    @cached_property
    def sizes(self) -> Mapping[tuple[str, str], int]:
        """How many there are, by topic and level."""
        return Counter((rung.topic, rung.level) for rung in self)

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], tuple[str, str]]:
        """Topic and level, by card and rung."""
        one_each = {cell: cell for cell in self.sizes}
        return {rung.key: one_each[rung.topic, rung.level] for rung in self}


DAY = 86_400.0


class Known(NamedTuple):
    """An item that was graded: its last grade, and what memory it left."""

    grade: str
    """A `Grade`."""
    stability_days: float
    reviewed_at: float
    """POSIX time: of thousands of items a datetime each would be felt."""

    def days(self, at: float) -> int:
        """Whole ones since the review, at a POSIX time."""
        return int((at - self.reviewed_at) // DAY)

    def recall(self, at: float) -> float:
        """Probability of recall at a POSIX time."""
        return recall_after(self.days(at), self.stability_days)


type Knowledge = Mapping[tuple[str, str], Known]
"""By card and rung; what was never graded is not in it."""


@dataclass(slots=True)
class Cell:
    """The rungs of one topic and level."""

    solid: int = 0
    shaky: int = 0
    """Graded, and less than solid."""
    new: int = 0
    """Never asked."""

    @property
    def all(self) -> int:
        return self.solid + self.shaky + self.new


@dataclass(frozen=True, slots=True)
class Weakest:
    rung: Rung
    known: Known
    recall: float
    """Now."""

    @property
    def order(self) -> tuple[int, float]:
        """Missed before partly; what fades most first."""
        return GRADES.index(self.known.grade), self.recall


@dataclass(slots=True)
class Row:
    topic: str
    cells: dict[str, Cell] = field(default_factory=dict)
    """By level, as far as the topic has rungs there."""
    weakest: Weakest | None = None
    """None while nothing is shaky."""


GRADES = tuple(Grade)


def coverage(rungs: Rungs, knowledge: Knowledge, now: datetime) -> list[Row]:
    """A row for each topic, in the order in which the rungs bring them."""
    cells, solid = rungs.cells, Grade.SOLID.value
    asked = [(key, known) for key, known in knowledge.items() if key in cells]
    shaky = [(key, known) for key, known in asked if known.grade != solid]
    counts = Counter(cells[key] for key, _ in asked)
    shaky_counts = Counter(cells[key] for key, _ in shaky)
    rows: dict[str, Row] = {}
    for cell, size in rungs.sizes.items():
        topic, level = cell
        rows.setdefault(topic, Row(topic)).cells[level] = Cell(
            solid=counts[cell] - shaky_counts[cell],
            shaky=shaky_counts[cell],
            new=size - counts[cell],
        )
    at = now.timestamp()
    for topic, place in _weakest(rungs, shaky, at).items():
        rung = rungs[place]
        known = knowledge[rung.key]
        rows[topic].weakest = Weakest(rung, known, known.recall(at))
    return list(rows.values())


def _weakest(
    rungs: Rungs, shaky: Iterable[tuple[tuple[str, str], Known]], at: float
) -> dict[str, int]:
    """By topic, the place of its weakest rung; of two that are as weak, the first."""
    cells, places = rungs.cells, rungs.places
    order = {grade.value: number for number, grade in enumerate(GRADES)}
    found: dict[str, tuple[int, float, int]] = {}
    for key, known in shaky:
        topic, _ = cells[key]
        # Recall falls with days over stability and with nothing else.
        lasts = -known.days(at) / known.stability_days
        each = order[known.grade], lasts, places[key]
        if topic not in found or each < found[topic]:
            found[topic] = each
    return {topic: place for topic, (_, _, place) in found.items()}


def weakest(rows: Sequence[Row]) -> Weakest | None:
    """Of all topics."""
    found = [row.weakest for row in rows if row.weakest]
    return min(found, key=lambda each: each.order, default=None)
