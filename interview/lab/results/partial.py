"""What can be said of a run from its events alone, when no report came.

Every number that needs what is missing is None.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from interview.measure.statistics import summary

FIRST_STREAM = 0


def partial_report(
    events: Iterable[Mapping[str, Any]], status: str, error: str
) -> dict[str, Any] | None:
    """A prefill-measure/1 report of the first stream as far as its events go.

    None when not even a request had started. Stamps are of the measuring clock.
    """
    mine = [event for event in events if event.get("stream") == FIRST_STREAM]
    phases = {event["phase"]: event["t_us"] for event in mine if event["k"] == "phase"}
    pieces = [event for event in mine if event["k"] == "tokens"]
    if not phases and not pieces:
        return None
    # A piece without a token of its own is text that came late, not a token event.
    tokens = [event for event in pieces if event["n"]]
    stamps = [event["t_us"] for event in tokens]
    gaps_ms = [(after - before) / 1000 for before, after in pairwise(stamps)]
    count = sum(event["n"] for event in tokens)
    sent_us = phases.get("sent")
    request = {
        "status": status,
        "error": error,
        "headers_ms": ms_between(sent_us, phases.get("accepted")),
        "ttft_ms": ms_between(sent_us, stamps[0] if stamps else None),
        "e2e_ms": ms_between(sent_us, stamps[-1] if stamps else None),
        "tpot_ms": sum(gaps_ms) / (count - 1) if count > 1 else None,
        "tokens": count,
        "events": len(tokens),
        "event_tokens": [event["n"] for event in tokens],
        "itl_ms": gaps_ms,
        "text": text_of(pieces, reasoning=False),
        "reasoning": text_of(pieces, reasoning=True),
        "notes": [],
    }
    gaps = summary(gaps_ms)
    itl = {"p50": gaps.p50, "p90": gaps.p90, "p99": gaps.p99, "mean": gaps.mean}
    return {
        "format": "prefill-measure/1",
        "requests": [request],
        "summary": {"itl_ms": itl | {"n": gaps.n}, "notes": []},
    }


def ms_between(start_us: int | None, end_us: int | None) -> float | None:
    return None if start_us is None or end_us is None else (end_us - start_us) / 1000


def text_of(tokens: Iterable[Mapping[str, Any]], *, reasoning: bool) -> str:
    return "".join(
        event.get("text") or ""
        for event in tokens
        if (event.get("channel") == "reasoning") is reasoning
    )
