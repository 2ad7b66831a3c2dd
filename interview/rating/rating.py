"""One question's rating: how far the candidate climbed, from what was marked.

A rating is 0 to 4: the number of the highest level with a follow-up whose expected
answer was given, 0 below L1. It says how far, never how good.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

BELOW_L1, HIGHEST = 0, 4


class Mark(StrEnum):
    """Of one follow-up, against its expected answer."""

    MET = "met"
    NOT_MET = "not-met"
    NOT_ASKED = "not-asked"


@dataclass(frozen=True, slots=True)
class Rung:
    id: str
    level: str
    """"L1" to "L4"."""

    @property
    def step(self) -> int:
        """1 to 4."""
        return int(self.level[1:])


@dataclass(frozen=True, slots=True)
class Rated:
    rating: int | None
    """None: not everything is marked, or nothing of it was asked."""
    met: int | None
    """What it would be without hints."""
    capped_by: str
    """The id of the follow-up whose hint holds the rating down; "" when none does."""


NOT_RATED = Rated(None, None, "")


def is_marked(rungs: Sequence[Rung], marks: Mapping[str, Mark]) -> bool:
    """Whether each follow-up has one of the three marks."""
    return all(rung.id in marks for rung in rungs)


def rated(
    rungs: Sequence[Rung], marks: Mapping[str, Mark], hinted: Collection[str]
) -> Rated:
    """The rating of a question whose follow-ups are all marked.

    A hint at a follow-up caps the rating at the level below it, whatever came later:
    the same help costs everybody the same.
    """
    asked = [
        rung for rung in rungs if marks.get(rung.id, Mark.NOT_ASKED) != Mark.NOT_ASKED
    ]
    if not asked or not is_marked(rungs, marks):
        return NOT_RATED
    met = max(
        (rung.step for rung in asked if marks[rung.id] == Mark.MET), default=BELOW_L1
    )
    helped = [rung for rung in asked if rung.id in hinted]
    lowest = min(helped, key=lambda rung: rung.step, default=None)
    if lowest is None or lowest.step > met:
        return Rated(met, met, "")
    return Rated(lowest.step - 1, met, lowest.id)


def filled(
    rungs: Sequence[Rung], marks: Mapping[str, Mark], rating: int
) -> dict[str, Mark]:
    """Marks as a rating given at once leaves them: up to its level met, the next level
    not met, above it not asked. What contradicts the rating is replaced, the rest of
    what was marked by hand stays.

    >>> filled([Rung("a", "L1"), Rung("b", "L2")], {}, 1)
    {'a': <Mark.MET: 'met'>, 'b': <Mark.NOT_MET: 'not-met'>}
    """
    above = [rung.step for rung in rungs if rung.step > rating]
    following = min(above, default=None)
    at_top = [rung for rung in rungs if rung.step == rating]
    found: dict[str, Mark] = {}
    for rung in rungs:
        before = marks.get(rung.id)
        if rung.step > rating:
            usual = Mark.NOT_MET if rung.step == following else Mark.NOT_ASKED
            found[rung.id] = usual if before in {None, Mark.MET} else before
        elif rung in at_top and not any(
            marks.get(other.id) == Mark.MET for other in at_top
        ):
            found[rung.id] = Mark.MET
        else:
            found[rung.id] = before or Mark.MET
    return found


@dataclass(frozen=True, slots=True)
class Spread:
    """The ratings that a question got, by rating."""

    counts: tuple[int, int, int, int, int]

    @classmethod
    def of(cls, ratings: Collection[int | None]) -> "Spread":
        given = [rating for rating in ratings if rating is not None]
        return cls(tuple(given.count(step) for step in range(HIGHEST + 1)))  # type: ignore[arg-type]  # five, as HIGHEST says

    @property
    def n(self) -> int:
        return sum(self.counts)

    @property
    def lowest(self) -> int | None:
        return next((step for step, count in enumerate(self.counts) if count), None)

    @property
    def highest(self) -> int | None:
        found = [step for step, count in enumerate(self.counts) if count]
        return found[-1] if found else None

    @property
    def width(self) -> int | None:
        """From the lowest to the highest rating; None without any."""
        if self.lowest is None or self.highest is None:
            return None
        return self.highest - self.lowest
