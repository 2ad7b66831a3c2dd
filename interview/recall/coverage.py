"""How far somebody has climbed, topic by topic. Knows items by name, no texts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
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


def coverage(rungs: Iterable[Rung], knowledge: Knowledge, now: datetime) -> list[Row]:
    """A row for each topic, in the order in which the rungs bring them."""
    rows: dict[str, Row] = {}
    at, solid = now.timestamp(), Grade.SOLID.value
    for rung in rungs:
        card_id, rung_id, topic, level = rung
        row = rows.get(topic) or rows.setdefault(topic, Row(topic))
        cell = row.cells.get(level) or row.cells.setdefault(level, Cell())
        known = knowledge.get((card_id, rung_id))
        if known is None:
            cell.new += 1
        elif known.grade == solid:
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
