"""The coverage map and the names of its rungs, as a page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from interview.cards.library import Library
from interview.recall.coverage import (
    QUESTION,
    Cell,
    Row,
    Rung,
    Weakest,
    weakest,
)
from interview.recall.grade import Grade

QUARTERS = 4


@dataclass(frozen=True, slots=True)
class RungView:
    rung: Rung
    title: str
    """Of its card."""
    place: str
    """ "question", or its level."""
    grade: str = ""
    """The last one, as a word in a sentence; blank when it was never asked."""


@dataclass(frozen=True, slots=True)
class MapCell:
    solid: int
    shaky: int
    all: int

    @property
    def quarters(self) -> int:
        """Of four bars, how many are filled: all of them only when all is solid, and
        one as soon as anything is."""
        filled = QUARTERS * self.solid // self.all
        return max(filled, 1) if self.solid else 0


@dataclass(frozen=True, slots=True)
class MapRow:
    topic: str
    cells: Sequence[MapCell | None]
    """By level, as the head of the map; None where the topic has no rung."""
    weakest: RungView | None


@dataclass(frozen=True, slots=True)
class Head:
    level: str
    title: str


@dataclass(frozen=True, slots=True)
class Map:
    heads: Sequence[Head]
    rows: Sequence[MapRow]
    weakest: RungView | None
    solid: int
    all: int


def map_of(rows: Sequence[Row], content: Library) -> Map:
    words = content.vocabulary
    heads = [Head("", "Question")]
    heads += [Head(word.slug, word.title) for word in words.levels.values()]
    cells = [cell for row in rows for cell in row.cells.values()]
    return Map(
        heads=heads,
        rows=[
            MapRow(
                topic=str(words.topics.get(row.topic, row.topic)),
                cells=[_cell(row.cells.get(head.level)) for head in heads],
                weakest=_named(row.weakest, content),
            )
            for row in rows
        ],
        weakest=_named(weakest(rows), content),
        solid=sum(cell.solid for cell in cells),
        all=sum(cell.all for cell in cells),
    )


def rung_view(rung: Rung, content: Library, grade: str = "") -> RungView:
    place = "question" if rung.level == QUESTION else rung.level
    return RungView(rung, content.cards[rung.card_id].title_text, place, grade)


def _cell(cell: Cell | None) -> MapCell | None:
    return MapCell(cell.solid, cell.shaky, cell.all) if cell else None


def _named(found: Weakest | None, content: Library) -> RungView | None:
    if found is None:
        return None
    return rung_view(found.rung, content, WORDS[found.grade])


WORDS = {Grade.MISSED: "missed", Grade.PARTLY: "known in part", Grade.SOLID: "solid"}
