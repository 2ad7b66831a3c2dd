"""What can be said of a load from its events alone, when no report came.

A repetition counts when it ended; of its tokens only the sums are in the events, so
gaps of several repetitions are not pooled: they are None.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from interview.measure.statistics import summary

Json = dict[str, Any]
Level = tuple[str | None, int]
"""Name and users: either tells it from the others."""

STATUSES = ("completed", "failed", "incomplete", "cancelled")
PER_REQUEST = ("ttft_ms", "ttfo_ms", "tpot_ms", "e2e_ms")
RATES = ("output_tokens_per_s", "steady_tokens_per_s", "peak_tokens_per_s")
SUMS = (*STATUSES, "tokens", "prompt_tokens", "cached_tokens")
BANDS = ("ttft_ms", "tpot_ms", "itl_ms", "e2e_ms")


def partial_load_report(events: Iterable[Mapping[str, Any]]) -> Json | None:
    """A prefill-measure/1 report of the repetitions that ended; None without one."""
    levels: dict[Level, list[Json]] = {}
    told: list[Mapping[str, Any]] = []
    target: Json = {}
    for event in events:
        if event["k"] == "hello":
            target = {name: event.get(name) for name in ("url", "model", "engine")}
        elif event["k"] == "request" and not event.get("warmup"):
            told.append(event)
        elif event["k"] == "level" and event["state"] == "started":
            told = []
        elif event["k"] == "level":
            found = levels.setdefault((event.get("name"), event["users"]), [])
            found.append(repetition(event, ended_in(event.get("window_us"), told)))
    if not levels:
        return None
    return {
        "format": "prefill-measure/1",
        "target": target,
        "levels": [level(of, found) for of, found in levels.items()],
    }


def ended_in(
    window_us: Sequence[int] | None, told: Iterable[Mapping[str, Any]]
) -> list[Json]:
    """The requests that were told; of a gathering those that ended in the window."""
    start_us, end_us = window_us or (float("-inf"), float("inf"))
    return [e["request"] for e in told if start_us <= e["t_us"] <= end_us]


def repetition(ended: Mapping[str, Any], requests: Sequence[Json]) -> Json:
    """`ended` is its last event, `requests` those that ended in it."""
    beside = ended.get("neighbours")
    return {
        "load": {
            "users": ended["users"],
            "requests": ended["requests"],
            "neighbours": {"requests": beside} if beside else None,
        },
        "summary": ended.get("summary") or {},
        "engine": None,
        "requests": list(requests),
        "neighbours": [],
        "warmup": [],
        "joined": bool(ended.get("joined")),
    }


def level(of: Level, repetitions: Sequence[Json]) -> Json:
    name, users = of
    return {
        "name": name,
        "users": users,
        "joined": repetitions[0]["joined"],
        "load": repetitions[0]["load"],
        "summary": pooled(repetitions),
        "repetitions": list(repetitions),
    }


def pooled(repetitions: Sequence[Json]) -> Json:
    """One summary: exact where the requests' numbers allow it, else None."""
    summaries = [repetition["summary"] for repetition in repetitions]
    if len(summaries) == 1:
        return {**summaries[0], "bands": None}
    done = [
        request
        for repetition in repetitions
        for request in repetition["requests"]
        if request["status"] == "completed"
    ]
    found: Json = {name: total(summaries, name) for name in SUMS}
    found |= {name: percentiles(known(done, name)) for name in PER_REQUEST}
    found |= {name: middle(known(summaries, name)) for name in RATES}
    found["itl_ms"] = found["neighbour_ttft_ms"] = None
    found["tokens_per_event"] = per_event(done)
    found["notes"] = list(dict.fromkeys(n for s in summaries for n in s["notes"]))
    medians = {name: known(filled(summaries, name), "p50") for name in BANDS}
    medians["output_tokens_per_s"] = known(summaries, "output_tokens_per_s")
    found["bands"] = {name: band(values) for name, values in medians.items()}
    return found


def band(values: Sequence[float]) -> Json | None:
    """The lowest, the median and the highest of the repetitions."""
    if not values:
        return None
    ends = {"low": min(values), "high": max(values)}
    return {**ends, "median": median(values), "n": len(values)}


def percentiles(values: Sequence[float]) -> Json:
    found = summary(values)
    return {name: getattr(found, name) for name in ("p50", "p90", "p99", "mean", "n")}


def per_event(done: Sequence[Json]) -> float | None:
    tokens, events = total(done, "tokens"), total(done, "events")
    return tokens / events if tokens and events else None


def filled(entries: Iterable[Json], name: str) -> list[Json]:
    return [entry[name] for entry in entries if entry.get(name)]


def known(entries: Iterable[Json], name: str) -> list[float]:
    return [entry[name] for entry in entries if entry.get(name) is not None]


def total(entries: Iterable[Json], name: str) -> int | None:
    values = known(entries, name)
    return int(sum(values)) if values else None


def middle(values: Sequence[float]) -> float | None:
    return median(values) if values else None
