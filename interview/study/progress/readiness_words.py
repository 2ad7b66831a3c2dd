"""Readiness in two or three plain sentences: no percentage of a person, no promise."""

from collections.abc import Sequence
from datetime import date

from interview.recall.readiness import Readiness
from interview.web.numbers import counted, number, percent

from .goal import said

CAVEAT = "An interview may ask what no card does, so this is no promise."


def sentences(ready: Readiness, up_to: str, day: date, today: date) -> list[str]:
    """`up_to` names the highest level: "L3 Senior"."""
    if not ready.needed:
        return ["No card is published for this role yet, so there is nothing to count."]
    when = "today" if day == today else f"on {said(day, today)}"
    asked = f"questions and follow-ups up to {up_to}"
    if not ready.missing:
        likely = percent(100 * ready.goal.retention)
        return [
            f"As far as practice can tell, yes: all {number(ready.needed)} {asked} are "
            f"solid, and each is expected to be recalled {when} with {likely} or more.",
            CAVEAT,
        ]
    return [
        f"Not yet. Of {number(ready.needed)} {asked}, {_lasting(ready)} solid and "
        f"expected to be recalled {when}.",
        _missing(ready),
        _time(ready),
    ]


def _lasting(ready: Readiness) -> str:
    if not ready.lasting:
        return "none is"
    return f"{number(ready.lasting)} {'is' if ready.lasting == 1 else 'are'}"


def _missing(ready: Readiness) -> str:
    parts = []
    if ready.weak:
        parts.append(f"{_were(ready.weak)} missed or known in part")
    if ready.fading:
        count = len(ready.fading)
        fades = "solid now and likely to fade before then unless you look again"
        parts.append(f"{number(count)} {'is' if count == 1 else 'are'} {fades}")
    if ready.new:
        parts.append(f"{_were(ready.new)} never asked")
    *first, last = parts
    return f"Of the rest, {', '.join(first)}{', and ' if first else ''}{last}."


def _were(rungs: Sequence[int]) -> str:
    return f"{number(len(rungs))} {'was' if len(rungs) == 1 else 'were'}"


def _time(ready: Readiness) -> str:
    goal, needed = ready.goal, ready.days_needed
    if not goal.days_left:
        return "It is today: no day of practice is left before it."
    if needed is None:
        return (
            "Your plan lets in no new cards a day, so what was never asked stays so: "
            "raise that number in your plan."
        )
    pace = f"With {counted(goal.daily_cap, 'card')} a day, {number(goal.new_cap)} new,"
    takes = f"this takes at least {counted(needed, 'day')}"
    left = counted(goal.days_left, "day")
    if ready.fits:
        return f"{pace} {takes}, and there are {left}: it fits if answers come solid."
    return (
        f"{pace} {takes}, and there are {left}: it does not fit. Raise the daily "
        "numbers in your plan, or aim at a lower level first."
    )
