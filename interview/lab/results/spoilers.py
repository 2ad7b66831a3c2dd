"""What keeps a load from deciding a claim, as short codes with their words.

Pure: from the load's part of a report, and what was asked of it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..runs.asked_load import AskedLoad
from .levels import Json, requests_of

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "cut-short": "the measurement was stopped before its end",
        "failed-requests": "not every request was completed",
        "neighbours-missing": "not every neighbour got its answer",
        "users-not-reached": "fewer requests were in flight at once than asked for",
        "other-traffic": "the server had requests of others, too",
        "short-output": "the answers were shorter than asked for",
        "cached-prompts": (
            "the prefix cache had a part of the prompts, which were to be new to it"
        ),
        "always-late": "the measuring client itself was late most of the time",
        "late-p99": "the measuring client was late by a good part of the longest gaps",
        "loop-lag": "the measuring client was late at times, and so is the largest gap",
        "buffered": "something on the way collected the tokens of the stream",
        "several-tokens-per-event": (
            "an event held more than one token, so its gap is not that of a token"
        ),
    }
)
"""Each code, and what happened in the load."""

FROM_NOTES = ("users-not-reached", "other-traffic", "short-output", "loop-lag")
COLLECTED = frozenset({"buffered", "one-piece"})
CUT = frozenset({"stopped", "time-limit"})
ONLY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "late-p99": frozenset({"itl_p99_ms"}),
        "loop-lag": frozenset({"itl_max_ms"}),
        "several-tokens-per-event": frozenset(
            {"itl_p50_ms", "itl_p99_ms", "itl_max_ms"}
        ),
    }
)
"""The metrics that a code spoils, where it is not all."""
LATE = 0.1
"""Share of a gap by which the client may be late, as in its own note, `loop-lag`."""


def spoiled(level: Json, asked: AskedLoad | None) -> list[str]:
    """Codes, in the order of WORDS; without `asked` nobody wanted anything special."""
    summary = level["summary"]
    notes = set(summary.get("notes") or ())
    found = {code: code in notes for code in FROM_NOTES}
    found |= {
        "cut-short": is_cut(level),
        "failed-requests": any(summary.get(s) for s in ("failed", "incomplete")),
        "neighbours-missing": asked is not None and neighbours_missing(level, asked),
        "cached-prompts": (
            asked is not None and asked.fresh_prompt and "cached-prompts" in notes
        ),
        "always-late": is_late(summary, "p50"),
        "late-p99": is_late(summary, "p99"),
        "buffered": is_collected(requests_of(level)),
        "several-tokens-per-event": "several-tokens-per-event" in notes,
    }
    return [code for code in WORDS if found[code]]


def spoils(code: str, metric: str) -> bool:
    """Whether it says something against this metric."""
    return code not in ONLY or metric in ONLY[code]


def is_late(summary: Json, percentile: str) -> bool:
    """By a good part of the gaps, both at this percentile."""
    lag_ms = (summary.get("loop_lag_ms") or {}).get(percentile)
    gap_ms = (summary.get("itl_ms") or {}).get(percentile)
    return bool(lag_ms and gap_ms and lag_ms > LATE * gap_ms)


def is_collected(requests: Sequence[Json]) -> bool:
    """Of at least half of them: what is on the way does it to all."""
    collected = [r for r in requests if COLLECTED & set(r.get("notes") or ())]
    return bool(collected) and 2 * len(collected) >= len(requests)


def is_cut(level: Json) -> bool:
    """No repetition ran to its end."""
    return all(
        not CUT.isdisjoint(repetition["summary"].get("notes") or ())
        for repetition in level["repetitions"]
    )


def neighbours_missing(level: Json, asked: AskedLoad) -> bool:
    """Fewer were served than each completed request should have had beside it."""
    beside = asked.neighbours.requests if asked.neighbours else 0
    served, measured = 0, 0
    for repetition in level["repetitions"]:
        summary = repetition["summary"]
        served += (summary.get("neighbour_ttft_ms") or {}).get("n") or 0
        measured += summary.get("completed") or 0
    return served < beside * measured
