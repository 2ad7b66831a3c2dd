"""What is missing for an interview, and whether there are days enough for it.

An estimate of the least: it takes every answer to be solid from now on.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from .coverage import QUESTION, Knowledge, Part, faded
from .days import posix_ms
from .forgetting import faded_to
from .grade import Grade


@dataclass(frozen=True, slots=True)
class Goal:
    at: datetime
    """On the day on which one wants to know it all, the interview's; its last second,
    as `StudyDays.last` gives it."""
    retention: float
    """What is predicted to be recalled with this probability is ready."""
    days_left: int
    """Days of study before the interview, today's included; 0 on its day."""
    daily_cap: int
    """Cards a day."""
    new_cap: int
    """Of these, cards never asked before."""
    done_today: int = 0
    """Cards that took their place in today's cap already."""
    new_today: int = 0
    """Of these, cards never asked before."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """Rungs are told by their places."""

    goal: Goal
    lasting: int
    """Solid, and predicted to be recalled on the day."""
    fading: Sequence[int]
    """Solid now, predicted below the goal on the day; what fades most first."""
    weak: Sequence[int]
    """Graded less than solid, missed ones first."""
    new: Sequence[int]
    """Never asked, questions before follow-ups and these by level."""
    new_cards: int
    """Cards whose question was never asked."""
    days_needed: int | None
    """At least; None when the caps let nothing new in."""

    @property
    def needed(self) -> int:
        """All rungs that one should know."""
        return self.lasting + len(self.fading) + len(self.weak) + len(self.new)

    @property
    def missing(self) -> int:
        return self.needed - self.lasting

    @property
    def fits(self) -> bool:
        """What is missing fits into the days that are left."""
        return self.days_needed is not None and self.days_needed <= self.goal.days_left


def readiness(
    needed: Part,
    knowledge: Knowledge,
    goal: Goal,
    planned_cards: Collection[str] = (),
) -> Readiness:
    """`needed` are the rungs that one should know; `planned_cards` come back before
    the day anyway, and take their place in the daily cap."""
    lasting, weak, new = 0, list[int](), list[int]()
    fading: dict[int, float] = {}
    at_ms, limit = posix_ms(goal.at), faded_to(goal.retention)
    solid = Grade.SOLID.value
    for place in needed:
        known = knowledge.get(place)
        if known is None:
            new.append(place)
        elif known[0] != solid:
            weak.append(place)
        elif (far := faded(known, at_ms)) > limit:
            fading[place] = far
        else:
            lasting += 1
    cards, cells = needed.rungs.cards, needed.rungs.cells
    levels = [level for _, level in needed.rungs.cell_names]
    weak.sort(key=lambda place: knowledge[place][0] != Grade.MISSED)
    most_first = sorted(fading, key=fading.__getitem__, reverse=True)
    open_cards = {cards[place] for place in (*fading, *weak, *new)}
    new_cards = sum(levels[cells[place]] == QUESTION for place in new)
    return Readiness(
        goal=goal,
        lasting=lasting,
        fading=most_first,
        weak=weak,
        new=sorted(new, key=lambda place: levels[cells[place]]),
        new_cards=new_cards,
        days_needed=days_needed(new_cards, len(open_cards.union(planned_cards)), goal),
    )


def days_needed(new_cards: int, cards: int, goal: Goal) -> int | None:
    """Days for so many cards once, `new_cards` of them never asked before; today is
    the first, with the room that is left of it."""
    if new_cards and not goal.new_cap:
        return None
    first_time = _days(new_cards, goal.new_cap, goal.new_today)
    return max(first_time, _days(cards, goal.daily_cap, goal.done_today))


def _days(cards: int, cap: int, taken: int) -> int:
    return ceil((cards + min(taken, cap)) / cap) if cards else 0
