"""Requests that kept to their limits; pure arithmetic."""

from collections.abc import Sequence
from typing import Any

from interview.measure.result import Result
from interview.measure.throughput import window_ns
from interview.measure.workload import Limits


def is_good(result: Result, limits: Limits) -> bool:
    """Completed, and within every limit that there is.

    A request of one token has no TPOT, so it keeps to any limit on it.
    """
    if result.status != "completed":
        return False
    measured = (
        (result.ttft_ns, limits.ttft_ms),
        (result.tpot_ns, limits.tpot_ms),
        (result.e2e_ns, limits.e2e_ms),
    )
    return all(
        limit_ms is None or ns is None or ns <= limit_ms * 1e6
        for ns, limit_ms in measured
    )


def goodput(results: Sequence[Result], limits: Limits) -> dict[str, Any]:
    """How many kept to the limits: number, per second, and share.

    Per second of the window of the throughput, first t0 to last token of the completed
    requests. The share is of all requests that were not cancelled.
    """
    completed = [result for result in results if result.status == "completed"]
    good = sum(is_good(result, limits) for result in completed)
    ended = sum(result.status != "cancelled" for result in results)
    window = window_ns(completed)
    span_s = (window[1] - window[0]) / 1e9 if window else 0
    return {
        "ttft_ms": limits.ttft_ms,
        "tpot_ms": limits.tpot_ms,
        "e2e_ms": limits.e2e_ms,
        "requests": good,
        "requests_per_s": round(good / span_s, 6) if span_s else None,
        "share": round(good / ended, 6) if ended else None,
    }
