"""One level's numbers, as JSON: over its completed requests, the others are counted."""

from collections.abc import Sequence
from typing import Any

from interview.measure import throughput
from interview.measure.goodput import goodput
from interview.measure.load import Level
from interview.measure.milliseconds import latency, ms
from interview.measure.result import Result, token_gaps_ns
from interview.measure.statistics import FEW_VALUES, known_sum, mean, percentile
from interview.measure.workload import Load

Json = dict[str, Any]

SEVERAL_TOKENS = 1.05
"""Mean tokens per event above which gaps are also given per token."""
LATE = 0.1
"""Share of the median gap that the loop's P99 lag may reach."""
WARM = 0.1
"""Share of the prompt tokens that may come from the prefix cache unmarked."""
DELAYED_ACK_MS = (39.0, 41.0)


def level_summary(
    load: Load, level: Level, lags_ns: Sequence[int], notes: Sequence[str] = ()
) -> Json:
    """Numbers over completed requests; the others are only counted."""
    return request_summary(load, level, lags_ns, notes) | _rates(load, level)


def request_summary(
    load: Load, level: Level, lags_ns: Sequence[int], notes: Sequence[str] = ()
) -> Json:
    """All but the rates, which only requests of one stretch of time have."""
    done = [result for result in level.results if result.status == "completed"]
    gaps_ns = [gap for result in done for gap in result.itl_ns]
    per_event = _ratio(
        sum(r.tokens or 0 for r in done), sum(len(r.event_tokens) for r in done)
    )
    several = per_event is not None and per_event > SEVERAL_TOKENS
    return {
        **_counts(level.results),
        "ttft_ms": latency(r.ttft_ns for r in done),
        "ttfo_ms": latency(r.ttfo_ns for r in done),
        "itl_ms": latency(gaps_ns),
        "itl_per_token_ms": (
            latency(gap for r in done for gap in token_gaps_ns(r)) if several else None
        ),
        "tpot_ms": latency(r.tpot_ns for r in done),
        "e2e_ms": latency(r.e2e_ns for r in done),
        "neighbour_ttft_ms": _neighbour_ttft(load, level),
        "goodput": goodput(level.results, load.limits) if load.limits else None,
        "tokens_per_event": _rounded(per_event),
        "tokens": sum(r.tokens or 0 for r in done) if done else None,
        "tokens_mean": _rounded(mean([r.tokens or 0 for r in done])),
        "prompt_tokens": known_sum(r.prompt_tokens for r in done),
        "cached_tokens": known_sum(r.cached_tokens for r in done),
        "loop_lag_ms": {
            "p50": ms(percentile(lags_ns, 50)),
            "p99": ms(percentile(lags_ns, 99)),
        },
        "notes": [
            *notes,
            *_notes(load, level, done, gaps_ns, lags_ns, per_event),
        ],
    }


def _neighbour_ttft(load: Load, level: Level) -> Json | None:
    """Of those that completed; None for a load without neighbours."""
    if load.neighbours is None:
        return None
    results = [neighbour.result for neighbour in level.neighbours]
    return latency(r.ttft_ns for r in results if r.status == "completed")


def _rates(load: Load, level: Level) -> Json:
    done = [result for result in level.results if result.status == "completed"]
    steady = throughput.steady_tokens_per_s(level.results, load.users)
    return {
        "output_tokens_per_s": _rounded(throughput.output_tokens_per_s(done)),
        "steady_tokens_per_s": _rounded(steady),
        "peak_tokens_per_s": _rounded(throughput.peak_tokens_per_s(done)),
    }


def _notes(
    load: Load,
    level: Level,
    done: Sequence[Result],
    gaps_ns: Sequence[int],
    lags_ns: Sequence[int],
    per_event: float | None,
) -> list[str]:
    gap_ns = percentile(gaps_ns, 50)
    lag_ns = percentile(lags_ns, 99)
    reached = throughput.reached_users(level.results)
    tokens = mean([result.tokens or 0 for result in done])
    prompt = known_sum(result.prompt_tokens for result in done) or 0
    cached = known_sum(result.cached_tokens for result in done) or 0
    low, high = DELAYED_ACK_MS
    beside = sum(n.result.status == "completed" for n in level.neighbours)
    found = {
        "stopped": level.stopped,
        "time-limit": level.timed_out,
        "users-not-reached": bool(level.results) and reached < load.users,
        "loop-lag": gap_ns is not None and (lag_ns or 0) > LATE * gap_ns,
        "few-values": bool(done) and min(len(done), len(gaps_ns)) < FEW_VALUES,
        "short-output": (
            load.ignore_eos and tokens is not None and tokens < load.max_tokens
        ),
        "several-tokens-per-event": (per_event or 0) > SEVERAL_TOKENS,
        "gap-of-40-ms": gap_ns is not None and low <= gap_ns / 1e6 <= high,
        "neighbours-missing": (
            load.neighbours is not None
            and beside < load.neighbours.requests * len(level.results)
        ),
        "cached-prompts": cached > WARM * prompt,
    }
    return [code for code, is_so in found.items() if is_so]


def _counts(results: Sequence[Result]) -> Json:
    statuses = ("completed", "failed", "incomplete", "cancelled")
    return {s: sum(result.status == s for result in results) for s in statuses}


def _ratio(whole: int, parts: int) -> float | None:
    return whole / parts if parts else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
