"""A run that the people of a room make together: how long, how far, how it ended.

Pure: it knows no database.
"""

from collections.abc import Mapping
from typing import Any

from interview.measure.gathering import FULL_S

from ..models.status import Status
from .expectation import Expectation
from .outcome import Ending, Outcome, of_ending, verdict, without_report

LONGEST_S = 600
"""A room that forgets its run holds the endpoint no longer."""
NEEDS_ROOM = (
    "This experiment is measured by several people together: open a room for it."
)
NOBODY = "Nobody added a stream, so nothing was measured."
TOO_SHORT = (
    "No number of streams stood for a second, so nothing was measured: let it run for "
    "some seconds after the first press."
)


def longest_s(cap_s: float) -> float:
    """How long it may take, below this lab's cap on one measurement."""
    return min(cap_s, LONGEST_S)


def at_most(cap_s: float) -> Expectation:
    """Its people decide; nobody knows more than the longest."""
    return Expectation(longest_s(cap_s), longest_s(cap_s), runs=0, is_bound=True)


class GatheringProgress:
    """As `Progress`, of a run whose end its people decide."""

    def __init__(self, expected_s: float, most: int) -> None:
        self._expected_s = expected_s
        self._most = most
        self._full_us: int | None = None

    def take(self, event: Mapping[str, Any]) -> None:
        is_join = event["k"] == "level" and event["state"] == "started"
        if is_join and event["users"] == self._most:
            self._full_us = event["t_us"]

    def left_s(self, elapsed_s: float) -> float:
        """Until the longest it may take, or until it ends because all have joined."""
        longest_s = self._expected_s - elapsed_s
        if self._full_us is None:
            return longest_s
        return min(longest_s, self._full_us / 1e6 + FULL_S - elapsed_s)


def gathering_outcome(
    ending: Ending, report: Mapping[str, Any] | None, fault: str, exit_status: int
) -> Outcome:
    """The driver's stop is its ordinary end, as is the time it may take."""
    if report is None:
        return without_report(ending, fault, exit_status)
    if ending in (Ending.WORKER, Ending.STOP_BY_OTHER, Ending.CAP):
        return of_ending(ending)
    if report["levels"]:
        return Outcome(Status.COMPLETED, "")
    if not report["requests"]:
        return Outcome(Status.CANCELLED, NOBODY)
    failed = [r for r in report["requests"] if r["status"] == Status.FAILED]
    if failed:
        return Outcome(*verdict(failed))
    return Outcome(Status.INCOMPLETE, TOO_SHORT)


def most_words(most: int) -> str:
    return f"up to {most} streams, joined one by one"


def refusal_of_press(
    *,
    status: Status,
    is_stopping: bool,
    is_measuring: bool,
    is_closed: bool,
    is_frozen: bool,
    count: int,
    most: int,
) -> str:
    """Why nobody can add a stream, as a sentence; "" when they can."""
    if is_closed:
        return "The room has ended."
    if status == Status.QUEUED:
        return "It waits for the endpoint; streams can join when it runs."
    if status != Status.RUNNING or is_stopping:
        return "It is over."
    if not is_measuring:
        return "It warms up; streams can join in some seconds."
    if is_frozen:
        return "The room is quiet for a while; nobody adds a stream."
    if count >= most:
        return f"All {most} streams are added. It ends soon after the last has joined."
    return ""
