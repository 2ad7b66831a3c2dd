"""A load's levels as rows of numbers, as its charts take them."""

from collections.abc import Mapping
from typing import Any

from .level_result import LevelResult, p50
from .limits import RunLimit
from .load_result import LoadResult

Row = dict[str, Any]
METRICS = ("ttft_ms", "tpot_ms", "output_tokens_per_s")


def load_rows(load: LoadResult | None, limits: Mapping[int, RunLimit]) -> list[Row]:
    """One row a level: `users`, each metric with `_low`, `_high`, and its `_limit`.

    A level that has not ended yet has its limit alone. Missing is None.
    """
    found = {level.users: level for level in load.levels} if load else {}
    return [
        {"users": users}
        | (measured(found[users]) if users in found else {})
        | best(limits.get(users))
        for users in sorted({*found, *limits})
    ]


def measured(level: LevelResult) -> Row:
    row: Row = {
        "ttft_ms": p50(level.ttft),
        "tpot_ms": p50(level.tpot),
        "output_tokens_per_s": level.output_tokens_per_s,
    }
    for name in METRICS:
        band = level.bands.get(name)
        row[f"{name}_low"] = band.low if band else None
        row[f"{name}_high"] = band.high if band else None
    return row


def best(allowed: RunLimit | None) -> Row:
    """What reading alone allows at the peak bandwidth."""
    if allowed is None or allowed.limit is None:
        return {}
    return {
        "tpot_ms_limit": allowed.limit.tpot_ms,
        "output_tokens_per_s_limit": allowed.limit.output_tokens_per_s,
    }
