"""Everybody's guess against the measurement: who was closest, quantity by quantity."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from interview.cards.quantity import METRICS, Quantity, read_quantity
from interview.web.numbers import number

from ..experiments.said import Said, said
from ..form.quantity import decimals_of, title_of
from ..models import Prediction
from .guess_strip import Dot, Strip, guess_strip

NAMELESS = "somebody"


@dataclass(frozen=True, slots=True)
class GuessRow:
    place: int | None
    """From 1, the closest; equal ones share it. None where nothing was measured."""
    name: str
    is_own: bool
    said: Said

    @property
    def range_text(self) -> str:
        """ "200–600 ms: held"; "" without a range."""
        told = self.said
        if told.low is None or told.high is None:
            return ""
        decimals = decimals_of(told.quantity.metric)
        low, high = number(told.low, decimals), number(told.high, decimals)
        ends = f"{low}–{high}\N{NO-BREAK SPACE}{told.unit}"
        if told.inside is None:
            return ends
        return f"{ends}: {'held' if told.inside else 'missed'}"

    @property
    def off_text(self) -> str:
        """ "12 % too high"; "" where nothing was measured."""
        off = self.said.off_percent
        if off is None:
            return ""
        if self.said.is_spot_on:
            return "spot on"
        side = "high" if off > 0 else "low"
        return f"{number(abs(off))}\N{NO-BREAK SPACE}% too {side}"


@dataclass(frozen=True, slots=True)
class Board:
    """All guesses of one quantity, the closest first."""

    quantity: Quantity
    rows: tuple[GuessRow, ...]
    strip: Strip

    @property
    def title(self) -> str:
        return title_of(self.quantity)

    @property
    def unit(self) -> str:
        return self.quantity.about.unit

    @property
    def measured_text(self) -> str:
        """ "–" while nothing was measured."""
        return self.rows[0].said.measured_text

    @property
    def is_measured(self) -> bool:
        return self.rows[0].said.measured is not None

    @property
    def dots(self) -> list[tuple[Dot, GuessRow]]:
        return list(zip(self.strip.dots, self.rows, strict=True))

    @property
    def has_range(self) -> bool:
        return any(row.said.has_range for row in self.rows)

    @property
    def sentence(self) -> str:
        """What its drawing shows."""
        count = len(self.rows)
        guesses = "1 guess" if count == 1 else f"{count} guesses"
        ends = sorted((row.said for row in self.rows), key=lambda one: one.value)
        reach = f"{guesses}, from {ends[0].said_text} to {ends[-1].said_text}"
        if not self.is_measured:
            return f"{reach}; not measured yet."
        first = self.rows[0]
        closest = f"closest {first.name} with {first.said.said_text}"
        return f"{reach}; measured {self.measured_text}; {closest}."


def boards(
    made: Iterable[Prediction],
    figures: Mapping[str, Any] | None,
    last_load: str,
    own: UUID,
) -> list[Board]:
    """One for each quantity that somebody guessed; `own` is the seat that looks.

    `figures` are the run's; a quantity without a load is of `last_load`.
    """
    by_quantity: dict[str, list[Prediction]] = {}
    for one in made:
        by_quantity.setdefault(one.metric, []).append(one)
    return [
        board(by_quantity[text], figures or {}, last_load, own)
        for text in sorted(by_quantity, key=place_of)
    ]


def place_of(text: str) -> tuple[int, str]:
    quantity = read_quantity(text)
    return list(METRICS).index(quantity.metric), quantity.load


def board(
    made: Iterable[Prediction], figures: Mapping[str, Any], last_load: str, own: UUID
) -> Board:
    found = [(one, said(one.guess, figures, last_load)) for one in made]
    found.sort(key=lambda pair: (distance(pair[1]), name_of(pair[0])))
    distances = [distance(told) for _, told in found]
    rows = tuple(
        GuessRow(
            place=None if told.measured is None else distances.index(away) + 1,
            name=name_of(one),
            is_own=one.seat_id == own,
            said=told,
        )
        for (one, told), away in zip(found, distances, strict=True)
    )
    first = rows[0].said
    strip = guess_strip([row.said.value for row in rows], first.measured)
    return Board(first.quantity, rows, strip)


def distance(told: Said) -> float:
    """From the measurement; all are alike while there is none."""
    return 0.0 if told.measured is None else abs(told.value - told.measured)


def name_of(made: Prediction) -> str:
    return (made.seat.name if made.seat else "") or NAMELESS
