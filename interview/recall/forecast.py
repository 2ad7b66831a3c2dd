"""How many steps the coming days ask, when everything due is done within the cap."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    planned: int
    """Asked on it, of its own and of the backlog; the cap at most."""
    waiting: int
    """Left for the next day."""


def forecast(
    due_by_day: Mapping[date, int],
    backlog: int,
    cap: int,
    first: date,
    days: int,
    last_day: date | None,
    room: int | None = None,
) -> list[Day]:
    """`days` days from `first`, fewer when `last_day`, the last one before an
    interview, comes before: nothing is asked after it.

    `backlog` was due before `first`; entries of `due_by_day` before it are not read.
    `room` is what the cap leaves of `first`, a day that began already; None: all.
    What reviews of these days add is not in it, nor are new cards.
    """
    found: list[Day] = []
    waiting = backlog
    for day in (first + timedelta(days=n) for n in range(days)):
        if last_day is not None and day > last_day:
            break
        load = waiting + due_by_day.get(day, 0)
        most = cap if room is None or day > first else max(room, 0)
        planned = min(load, most)
        waiting = load - planned
        found.append(Day(day, planned, waiting))
    return found
