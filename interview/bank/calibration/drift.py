"""How far one's own rating of a sample lies from what the others gave, in words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Self

from interview.web.numbers import counted

STEPS = {
    0.5: "half a step",
    1: "one step",
    1.5: "one and a half steps",
    2: "two steps",
    2.5: "two and a half steps",
    3: "three steps",
    3.5: "three and a half steps",
    4: "four steps",
}


@dataclass(frozen=True, slots=True)
class Drift:
    steps: float | None
    """Own rating minus the middle one of the others; None when nobody else rated."""

    @classmethod
    def of(cls, own: int, others: Collection[int]) -> Self:
        return cls(own - median(others) if others else None)

    @property
    def words(self) -> str:
        if self.steps is None:
            return "nobody else has rated it yet"
        if self.steps == 0:
            return "at the panel’s middle"
        side = "above" if self.steps > 0 else "below"
        return f"{STEPS[abs(self.steps)]} {side} the panel’s middle"


def said_of(drifts: Sequence[Drift]) -> str:
    """A sentence about all samples; "" when nobody else rated any."""
    steps = [drift.steps for drift in drifts if drift.steps is not None]
    if not steps:
        return ""
    sides = {
        "above": sum(step > 0 for step in steps),
        "below": sum(step < 0 for step in steps),
        "at": steps.count(0),
    }
    said = [f"{counted(n, 'time')} {side} it" for side, n in sides.items() if n]
    samples = counted(len(steps), "sample")
    return (
        f"Beside the panel’s middle, on {samples} that others rated too, "
        f"you were {', '.join(said)}."
    )
