"""A prediction beside its measurement; pure, from a guess and a run's figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interview.cards.quantity import Quantity, read_quantity

from ..form.guess import Guess
from ..form.quantity import title_of, written
from .reached import reached

SPOT_ON_PERCENT = 0.5


@dataclass(frozen=True, slots=True)
class Said:
    quantity: Quantity
    value: float
    low: float | None
    """Both ends of the range that was given, or None."""
    high: float | None
    measured: float | None
    measured_low: float | None
    """Both ends of the measurement's own spread, where one is known."""
    measured_high: float | None

    @property
    def title(self) -> str:
        return title_of(self.quantity)

    @property
    def unit(self) -> str:
        return self.quantity.about.unit

    @property
    def off_percent(self) -> float | None:
        """(said - measured) / measured; above 0 is too high."""
        if not self.measured:
            return None
        return 100 * (self.value - self.measured) / self.measured

    @property
    def is_spot_on(self) -> bool:
        off = self.off_percent
        return off is not None and abs(off) < SPOT_ON_PERCENT

    @property
    def has_range(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def inside(self) -> bool | None:
        """Whether the range holds the measurement; None without the one or other."""
        if self.low is None or self.high is None or self.measured is None:
            return None
        return self.low <= self.measured <= self.high

    @property
    def sentence(self) -> str:
        """What a drawing of it shows."""
        between = f", between {self.low_text} and {self.high_text}"
        said = self.said_text + (between if self.has_range else "")
        if self.measured is None:
            return f"Said {said}; not measured."
        return f"Said {said}; measured {self.measured_text}."

    @property
    def said_text(self) -> str:
        return self._text(self.value)

    @property
    def measured_text(self) -> str:
        return self._text(self.measured)

    @property
    def low_text(self) -> str:
        return self._text(self.low)

    @property
    def high_text(self) -> str:
        return self._text(self.high)

    def _text(self, value: float | None) -> str:
        return written(self.quantity.metric, value)


def said(guess: Guess, figures: Mapping[str, Any], last_load: str) -> Said:
    """A quantity without a load is of `last_load`, the one with the most users."""
    quantity = read_quantity(guess.quantity)
    load = figures.get(reached(quantity, figures).load or last_load) or {}
    measured = (load.get("values") or {}).get(quantity.metric) or [None, None, None]
    return Said(quantity, guess.value, guess.low, guess.high, *measured)


def all_said(
    guesses: Iterable[Guess], figures: Mapping[str, Any] | None, last_load: str
) -> list[Said]:
    """Without figures nothing was measured."""
    return [said(guess, figures or {}, last_load) for guess in guesses]
