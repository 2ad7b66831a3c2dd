"""Who is next, and when: the order of those who wait for one endpoint; pure.

Next is the oldest run of the person whose last run ended longest ago, so that many runs
of one person never stand before the first of another.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from .expectation import duration


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queued run."""

    run: UUID
    person: UUID
    expected_s: float


@dataclass(frozen=True, slots=True)
class Turn:
    """When a queued run starts, if all others take as long as expected."""

    run: UUID
    place: int
    """1 is next."""
    wait_s: float

    @property
    def about_s(self) -> int:
        return about_s(self.wait_s)

    @property
    def words(self) -> str:
        """ "place 2, about 40 s" """
        wait = f", about {duration(self.about_s)}" if self.about_s else ""
        return self.place_words + wait

    @property
    def place_words(self) -> str:
        return f"place {self.place}"


def about_s(seconds: float) -> int:
    """As precisely as it can be known: to 5 s, beyond 90 s to a minute."""
    step = 5 if seconds < 90 else 60
    return math.ceil(seconds / step) * step


def turns(
    waiting: Sequence[Waiting],
    ended_s: Mapping[UUID, float],
    free_in_s: float,
    cooldown_s: float,
) -> tuple[Turn, ...]:
    """The turns of `waiting`, which comes oldest first.

    `ended_s` has by person when the last run ended, in seconds from now: below 0, or
    `free_in_s` for the one whose run is running. `free_in_s` is 0 when none is. A
    person cools down for `cooldown_s` as long as somebody else waits.
    """
    left, ended, free_s = list(waiting), dict(ended_s), free_in_s
    found: list[Turn] = []
    while left:
        # The oldest of equals: `min` keeps the first.
        chosen = min(left, key=lambda one: ended.get(one.person, -math.inf))
        start_s = free_s
        if any(other.person != chosen.person for other in left):
            start_s = max(free_s, ended.get(chosen.person, -math.inf) + cooldown_s)
        found.append(Turn(chosen.run, len(found) + 1, start_s))
        free_s = ended[chosen.person] = start_s + chosen.expected_s
        left.remove(chosen)
    return tuple(found)
