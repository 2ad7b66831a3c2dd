"""How far somebody has climbed, topic by topic. Knows items by name, no texts."""

from collections import Counter
from collections.abc import Mapping, Sequence
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


DAY = 86_400.0


class Known(NamedTuple):
    """An item that was graded: its last grade, and what memory it left."""

    grade: str
    """A `Grade`."""
    stability_days: float
    reviewed_at: float
    """POSIX time: of thousands of items a datetime each would be felt."""

    def recall(self, at: float) -> float:
        """Probability of recall at a POSIX time."""
        days = int((at - self.reviewed_at) // DAY)
        return recall_after(days, self.stability_days)


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
    rows: dict[str, Row] = {}
    for (topic, level), size in rungs.sizes.items():
        rows.setdefault(topic, Row(topic)).cells[level] = Cell(new=size)
    at = now.timestamp()
    places = rungs.places
    for place in sorted(places[key] for key in knowledge.keys() & places.keys()):
        rung = rungs[place]
        row, known = rows[rung.topic], knowledge[rung.key]
        cell = row.cells[rung.level]
        cell.new -= 1
        if known.grade == Grade.SOLID:
            cell.solid += 1
        else:
            cell.shaky += 1
            found = Weakest(rung, known, known.recall(at))
            if row.weakest is None or found.order < row.weakest.order:
                row.weakest = found
    return list(rows.values())


def weakest(rows: Sequence[Row]) -> Weakest | None:
    """Of all topics."""
    found = [row.weakest for row in rows if row.weakest]
    return min(found, key=lambda each: each.order, default=None)
