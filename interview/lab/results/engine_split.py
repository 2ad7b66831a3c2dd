"""Where the engine itself says a level's time before the first token went."""

from collections.abc import Sequence
from typing import Any

from interview.measure.statistics import mean

from .levels import Json

MEANS = ("queue_ms", "prefill_ms", "rest_ms")
SUMS = ("preemptions", "prefix_hit_tokens", "prefix_query_tokens")


def engine_split(repetitions: Sequence[Json]) -> Json:
    """Means in ms and counts of a level, each only when all repetitions have it.

    A repetition with other traffic, or with a request that did not end well, has no
    times.
    """
    found: Json = {}
    for name in (*MEANS, *SUMS):
        values = of_all(repetitions, name)
        found[name] = mean(values) if name in MEANS else total(values)
    return found


def of_all(repetitions: Sequence[Json], name: str) -> list[Any]:
    """The value of each repetition, or none of them when one is missing."""
    values = [(one.get("engine") or {}).get(name) for one in repetitions]
    return [] if None in values else values


def total(values: Sequence[float]) -> int | None:
    return int(sum(values)) if values else None
