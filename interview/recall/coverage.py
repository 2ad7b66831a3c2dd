"""How far somebody has climbed, topic by topic. Knows items by name, no texts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple, Self

from .days import DAY_MS, posix_ms
from .forgetting import recall_at
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
    def name(self) -> str:
        return f"{self.card_id}/{self.rung_id}"


class Rungs(tuple[Rung, ...]):
    """All that anybody can be asked, in order: thousands, for ever the same. Where they
    are looked up by the thousand, each is told by its place here."""

    @cached_property
    def places(self) -> Mapping[str, int]:
        """By name."""
        return {rung.name: place for place, rung in enumerate(self)}

    @cached_property
    def cards(self) -> Sequence[str]:
        """Ids of cards, by place."""
        return [rung.card_id for rung in self]

    @cached_property
    def cell_names(self) -> Sequence[tuple[str, str]]:
        """Topic and level of each cell of the map."""
        return list(dict.fromkeys((rung.topic, rung.level) for rung in self))

    @cached_property
    def cells(self) -> Sequence[int]:
        """The number of its cell, by place."""
        numbers = {name: number for number, name in enumerate(self.cell_names)}
        return [numbers[rung.topic, rung.level] for rung in self]


class Part(tuple[int, ...]):
    """Places of some rungs, in order."""

    def __new__(cls, rungs: Rungs, places: Iterable[int]) -> Self:
        return super().__new__(cls, places)

    def __init__(self, rungs: Rungs, places: Iterable[int]) -> None:
        self.rungs = rungs

    @cached_property
    def has(self) -> Sequence[int]:
        """By place of a rung, whether it is of this part: 1 or 0."""
        flags = bytearray(len(self.rungs))
        for place in self:
            flags[place] = 1
        return flags

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        """How many rungs there are, by cell."""
        return Counter(map(self.rungs.cells.__getitem__, self))


type Known = tuple[str, float, int, *tuple[object, ...]]
"""An item that was graded: its last `Grade`, the stability in days that it left, and
its review as POSIX time in ms; what follows is not read. Of thousands of items a class,
or a datetime, each would be felt."""


def faded(known: Known, at_ms: float) -> float:
    """Whole days from the review to a POSIX time over stability: recall falls with it
    and with nothing else."""
    return max(0.0, (at_ms - known[2]) // DAY_MS) / known[1]


type Knowledge = Mapping[int, Known]
"""By a rung's place; what was never graded is not in it."""


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
    grade: Grade
    recall: float
    """Now."""

    @property
    def order(self) -> tuple[int, float]:
        """Missed before partly; what fades most first."""
        return GRADES.index(self.grade), self.recall


@dataclass(slots=True)
class Row:
    topic: str
    cells: dict[str, Cell] = field(default_factory=dict)
    """By level, as far as the topic has rungs there."""
    weakest: Weakest | None = None
    """None while nothing is shaky."""


GRADES = tuple(Grade)


def coverage(part: Part, knowledge: Knowledge, now: datetime) -> list[Row]:
    """A row for each topic, in the order in which the rungs bring them.

    `now` is the last second of the day of study, as `StudyDays.last` gives it.
    """
    rungs, solid = part.rungs, Grade.SOLID.value
    cells, names = rungs.cells, rungs.cell_names
    has = part.has
    asked = [place for place in knowledge if has[place]]
    shaky = [place for place in asked if knowledge[place][0] != solid]
    counts = Counter(map(cells.__getitem__, asked))
    shaky_counts = Counter(map(cells.__getitem__, shaky))
    rows: dict[str, Row] = {}
    for cell, size in part.sizes.items():
        topic, level = names[cell]
        rows.setdefault(topic, Row(topic)).cells[level] = Cell(
            solid=counts[cell] - shaky_counts[cell],
            shaky=shaky_counts[cell],
            new=size - counts[cell],
        )
    at_ms = posix_ms(now)
    for topic, place in _weakest(rungs, shaky, knowledge, at_ms).items():
        known, rung = knowledge[place], rungs[place]
        rows[topic].weakest = Weakest(
            rung, Grade(known[0]), recall_at(faded(known, at_ms))
        )
    return list(rows.values())


def _weakest(
    rungs: Rungs, shaky: Iterable[int], knowledge: Knowledge, at_ms: float
) -> dict[str, int]:
    """By topic, the place of its weakest rung; of two that are as weak, the first."""
    cells, topics = rungs.cells, [topic for topic, _ in rungs.cell_names]
    order = {grade.value: number for number, grade in enumerate(GRADES)}
    found: dict[str, tuple[int, float, int]] = {}
    for place in shaky:
        known, topic = knowledge[place], topics[cells[place]]
        each = order[known[0]], -faded(known, at_ms), place
        if topic not in found or each < found[topic]:
            found[topic] = each
    return {topic: place for topic, (_, _, place) in found.items()}


def weakest(rows: Sequence[Row]) -> Weakest | None:
    """Of all topics."""
    found = [row.weakest for row in rows if row.weakest]
    return min(found, key=lambda each: each.order, default=None)
