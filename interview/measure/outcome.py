"""What became of one request, from its stream and from the exchange around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from interview.measure.decoder import Answer

Status = Literal["completed", "failed", "incomplete", "cancelled"]

ENDED_BY_ENGINE = frozenset({"abort", "error"})
"""Finish reasons of an answer that its engine gave up [V:LIFE-10]."""
FEWEST_EVENTS_TO_JUDGE = 4
"""With fewer token events, arriving together says nothing."""
TOGETHER_NS = 500_000
"""No engine makes two tokens of one answer this close when it needs much longer
for them on average."""


@dataclass(slots=True)
class Ending:
    """How the exchange around the stream went; filled in as it goes."""

    sent_ns: int | None = None
    """t0: the request's first byte was written; None when it never was."""
    connect_ns: int | None = None
    """Duration of DNS, TCP and TLS; None on a kept connection."""
    headers_ns: int | None = None
    """Stamp of the read that completed the response head."""
    http_status: int | None = None
    error: str | None = None
    """What broke outside the stream, as a sentence."""
    cancelled: bool = False
    unreachable: bool = False
    """No connection could be made."""
    ended_ns: int = 0
    """Stamp of the moment the user was free again."""
    notes: tuple[str, ...] = ()


def status_of(answer: Answer, ending: Ending) -> tuple[Status, str | None]:
    """The status, and for all but completed requests a sentence."""
    finished = bool(answer.finish_reason) or answer.done
    ok = ending.http_status == 200
    given_up = answer.finish_reason in ENDED_BY_ENGINE
    error = answer.error or (None if finished and ok else ending.error)
    if answer.error is None and ok and finished and answer.tokens and not given_up:
        return "completed", None
    if answer.error is None and ending.cancelled:
        return "cancelled", "stopped before its end"
    if error is not None:
        return "failed", error
    if given_up:
        return (
            "incomplete",
            f"The engine gave the answer up after {answer.tokens} tokens (finish"
            f" reason: {answer.finish_reason}).",
        )
    if finished:
        reason = answer.finish_reason or "none"
        return "failed", f"0 tokens: the answer ended empty (finish reason: {reason})."
    return (
        "incomplete",
        f"The stream ended after {answer.tokens} tokens with neither a finish"
        " reason nor [DONE].",
    )


def notes_of(answer: Answer, ending: Ending, status: Status) -> tuple[str, ...]:
    """Codes of what was odd; notes.py has their sentences."""
    notes = [*ending.notes, *answer.notes]
    if status == "completed":
        if not answer.finish_reason:
            notes.append("no-finish-reason")
        if ending.error is not None and not answer.done:
            notes.append("cut-after-finish")
        elif not answer.done:
            notes.append("no-done")
    if answer.events and answer.events[0].tokens > 1:
        notes.append("several-first")
    # Several choices come together by nature: the engine steps them together.
    if len(answer.texts) <= 1:
        notes += _arrival([event.stamp_ns for event in answer.events])
    return tuple(dict.fromkeys(notes))


def _arrival(stamps: Sequence[int]) -> list[str]:
    """Whether tokens came together that an engine makes one by one."""
    if len(stamps) < FEWEST_EVENTS_TO_JUDGE:
        return []
    gaps = [after - before for before, after in pairwise(stamps)]
    if not any(gaps):
        return ["one-piece"]
    together = sum(gap < TOGETHER_NS for gap in gaps)
    slow = sum(gaps) > 4 * TOGETHER_NS * len(gaps)
    return ["buffered"] if slow and together > len(gaps) / 2 else []
