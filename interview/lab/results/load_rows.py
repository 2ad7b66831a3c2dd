"""A load and its limit as rows of numbers, as the charts take them."""

from collections.abc import Mapping
from typing import Any

from ..models import Run
from ..runs.spec import Spec
from .level_result import LevelResult, p50
from .limits import limit_at, mean_context
from .load_result import LoadResult

Row = dict[str, Any]
METRICS = ("ttft_ms", "tpot_ms", "output_tokens_per_s")
MANUAL_USERS = 64


def load_rows(load: LoadResult | None) -> list[Row]:
    """One row a level: `users`, each metric with `_low`, `_high`; missing is None."""
    return [row(level) for level in load.levels] if load else []


def row(level: LevelResult) -> Row:
    # A gathering has few waits at one number of streams, and often none.
    ttft = None if level.is_joined else p50(level.ttft)
    values = (ttft, p50(level.tpot), level.output_tokens_per_s)
    found: Row = {"users": level.users} | dict(zip(METRICS, values, strict=True))
    for name in METRICS:
        band = level.bands.get(name)
        found[f"{name}_low"] = band.low if band else None
        found[f"{name}_high"] = band.high if band else None
    return found


def limit_rows(run: Run) -> list[Mapping[str, float]]:
    """What reading alone allows, along the charts' axis; none where nobody knows."""
    asked = run.asked
    tokens = mean_context(asked.prompt_tokens_at_most, asked.max_tokens)
    found = {users: limit_at(run, users, tokens).limit for users in axis(asked)}
    return [
        {
            "users": users,
            "tpot_ms": limit.tpot_ms,
            "output_tokens_per_s": limit.output_tokens_per_s,
        }
        for users, limit in found.items()
        if limit
    ]


def axis(asked: Spec) -> list[int]:
    """Every level, and between them doubling counts: the limit is a curve."""
    levels = asked.levels
    if asked.gathers:
        return levels
    most = max(MANUAL_USERS, *levels)
    return sorted({*levels, *(1 << power for power in range(most.bit_length()))})
