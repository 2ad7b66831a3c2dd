"""How far a panel is apart at one question, and which question to talk about first."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from .rating import Mark, Spread


@dataclass(frozen=True, slots=True)
class Disagreement:
    spread: Spread
    apart: tuple[str, ...]
    """Ids of the follow-ups that some marked met and others not met."""

    @classmethod
    def of(
        cls,
        ratings: Collection[int | None],
        marks: Collection[Mapping[str, Mark]],
    ) -> Self:
        """`marks` by follow-up, one mapping for each interviewer."""
        rungs = list(dict.fromkeys(rung for each in marks for rung in each))
        apart = (
            rung
            for rung in rungs
            if {Mark.MET, Mark.NOT_MET} <= {each.get(rung) for each in marks}
        )
        return cls(Spread.of(ratings), tuple(apart))

    @property
    def weight(self) -> tuple[int, int]:
        """The wider spread weighs more; of two alike the one with more marks apart.
        Without any rating it weighs least."""
        width = -1 if self.spread.width is None else self.spread.width
        return width, len(self.apart)


def widest_first[T](pairs: Iterable[tuple[T, Disagreement]]) -> list[T]:
    """What weighs alike stays in its order."""
    heaviest = sorted(pairs, key=lambda pair: pair[1].weight, reverse=True)
    return [each for each, _ in heaviest]
