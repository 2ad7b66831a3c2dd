"""The numbers of a run that claims are about, load by load, read from its report.

Pure: knows no database and no experiment. What cannot be computed is left out.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from interview.measure.statistics import percentile

from ..runs.spec import Spec
from .levels import Json, levels_of, name_of, requests_of
from .result import Result, rate
from .spoilers import spoiled

RATE = "output_tokens_per_s"
NEIGHBOURS = "neighbour_ttft_ms"
POOLED = {
    "ttft_ms": ("ttft_ms", "p50"),
    "tpot_ms": ("tpot_ms", "p50"),
    "itl_p50_ms": ("itl_ms", "p50"),
    "itl_p99_ms": ("itl_ms", "p99"),
    "itl_max_ms": ("itl_ms", "max"),
    "e2e_ms": ("e2e_ms", "p50"),
    NEIGHBOURS: (NEIGHBOURS, "p50"),
}
"""Where a summary has each metric."""
GAPS = {"itl_p50_ms": 50, "itl_p99_ms": 99, "itl_max_ms": 100}
"""The percentile of a request's own gaps."""
CUT = frozenset({"stopped", "time-limit"})


def figures_of(report: Mapping[str, Any], asked: Spec) -> Json:
    """`{load: {"values": {metric: [value, low, high]}, "spoiled": [codes]}}`, JSON.

    A value is over all repetitions of its load. From `low` to `high` is its spread:
    over the repetitions when there are several, else over the requests of one user;
    both are null when there is neither.
    """
    if not asked.is_load and (cut := of_cut_request(report)):
        return cut
    loads = {load.name: load for load in asked.asked_loads}
    return {
        name_of(level): {
            "values": values(level),
            "spoiled": spoiled(level, loads.get(name_of(level))),
        }
        for level in levels_of(report)
    }


def of_cut_request(report: Mapping[str, Any]) -> Json | None:
    """What arrived of a single request that did not complete; None of one that did."""
    result = Result.of(report)
    if result is None or result.status == "completed":
        return None
    code = "cut-short" if result.status == "cancelled" else "failed-requests"
    return {name: told | {"spoiled": [code]} for name, told in result.figures.items()}


def values(level: Json) -> dict[str, list[float | None]]:
    """Each metric that the load has, with its spread."""
    summaries = whole_summaries(level)
    found: dict[str, list[float | None]] = {}
    for metric in (*POOLED, RATE):
        value = of_summary(level["summary"], metric)
        if value is None:
            continue
        spread = [of_summary(summary, metric) for summary in summaries]
        if len(summaries) < 2:
            spread = of_requests(level, metric)
        found[metric] = [value, *ends(value, spread)]
    return found


def whole_summaries(level: Json) -> list[Json]:
    """Of the repetitions that ran to their end."""
    summaries = [repetition["summary"] for repetition in level["repetitions"]]
    return [one for one in summaries if CUT.isdisjoint(one.get("notes") or ())]


def of_summary(summary: Json, metric: str) -> float | None:
    if metric == RATE:
        found: float | None = summary.get(RATE)
        return found
    name, statistic = POOLED[metric]
    return (summary.get(name) or {}).get(statistic)


def of_requests(level: Json, metric: str) -> list[float | None]:
    """The metric of each completed request; of one user's alone, as those of several
    differ by their place in the crowd, and those of a gathering go on through it."""
    if level["users"] != 1 or level.get("joined"):
        return []
    if metric == NEIGHBOURS:
        return of_neighbours(level)
    done = [one for one in requests_of(level) if one["status"] == "completed"]
    if metric == RATE:
        return [rate(one.get("tokens"), one.get("e2e_ms")) for one in done]
    if metric in GAPS:
        return [percentile(one.get("itl_ms") or (), GAPS[metric]) for one in done]
    return [one.get(metric) for one in done]


def of_neighbours(level: Json) -> list[float | None]:
    """The median wait of those beside each measured request."""
    beside: dict[tuple[int, int], list[float]] = {}
    for number, repetition in enumerate(level["repetitions"]):
        for one in repetition.get("neighbours") or ():
            if one["status"] == "completed":
                beside.setdefault((number, one["of"]), []).append(one["ttft_ms"])
    return [median(waits) for waits in beside.values()]


def ends(value: float, spread: Sequence[float | None]) -> tuple[float | None, ...]:
    """The lowest and the highest, the value among them; nothing of a single one."""
    known = [one for one in spread if one is not None]
    if len(known) < 2:
        return None, None
    return min(value, *known), max(value, *known)
