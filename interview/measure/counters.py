"""What vLLM counts of itself on /metrics, before and after a level; pure arithmetic.

Histograms give exact means by the difference of sum and count, never quantiles.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interview.measure.result import Result
from interview.measure.statistics import mean

QUEUE = "vllm:request_queue_time_seconds"
PREFILL = "vllm:request_prefill_time_seconds"
TTFT = "vllm:time_to_first_token_seconds"
_RUNNING = "vllm:num_requests_running"
_WAITING = "vllm:num_requests_waiting"
_KV_USAGE = "vllm:kv_cache_usage_perc"
_TOKENS = "vllm:generation_tokens_total"
_PREEMPTIONS = "vllm:num_preemptions_total"
_QUERIES = "vllm:prefix_cache_queries_total"
_HITS = "vllm:prefix_cache_hits_total"
_NAMES = (
    *(_RUNNING, _WAITING, _KV_USAGE, _TOKENS, _PREEMPTIONS, _QUERIES, _HITS),
    *(f"{name}_{part}" for name in (QUEUE, PREFILL, TTFT) for part in ("sum", "count")),
)
_OLD_NAMES = {
    "vllm:gpu_cache_usage_perc": _KV_USAGE,
    "vllm:gpu_prefix_cache_queries_total": _QUERIES,
    "vllm:gpu_prefix_cache_hits_total": _HITS,
}
"""Of versions before 0.31, to the names of now; while both are shown, those count."""
_LINE = re.compile(
    rb"^(%s)(?:\{[^\n]*\})? ([^\s]+)" % "|".join((*_NAMES, *_OLD_NAMES)).encode(),
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Counters:
    """One reading, each metric summed over its labels; absent ones are missing."""

    values: dict[str, float]

    @property
    def gauges(self) -> dict[str, float | None]:
        """The load now: requests running and waiting, share of the KV cache in use."""
        return {
            "running": self.values.get(_RUNNING),
            "waiting": self.values.get(_WAITING),
            "kv_cache_usage": self.values.get(_KV_USAGE),
        }

    def gauges_beside(self, ours: int) -> dict[str, float | None]:
        """The load now, and how many requests there are beside `ours`."""
        running, waiting = self.values.get(_RUNNING), self.values.get(_WAITING)
        if running is None or waiting is None:
            return self.gauges | {"others": None}
        return self.gauges | {"others": max(0.0, running + waiting - ours)}

    @property
    def under_way(self) -> float:
        """Requests running or waiting, whosever they are."""
        return sum(self.values.get(name, 0.0) for name in (_RUNNING, _WAITING))

    @property
    def busy(self) -> bool:
        return self.under_way > 0

    @property
    def prefilled(self) -> float | None:
        """Requests whose prefill was counted, which is done at their end."""
        return self.values.get(f"{PREFILL}_count")


def counters(page: bytes) -> Counters | None:
    """None when the page has none of vLLM's metrics."""
    values: dict[str, float] = {}
    for name, value in _LINE.findall(page):
        try:
            number = float(value)
        except ValueError:
            continue
        key = name.decode()
        values[key] = values.get(key, 0.0) + number
    for old, new in _OLD_NAMES.items():
        if old in values:
            values.setdefault(new, values.pop(old))
    return Counters(values) if values else None


def engine_view(
    before: Counters,
    after: Counters,
    results: Sequence[Result],
    neighbours: Sequence[Result] = (),
) -> dict[str, Any]:
    """What the engine did in a level, by the differences.

    `alone` is False when requests of others were seen.
    Times are means in ms over the level's requests. They are None where the server's
    sums hold more or less than these: with others, with `neighbours`, which are ours,
    and when one of ours did not end well.
    `rest_ms` is the client's mean TTFT less the server's: network, HTTP, rendering.
    """
    ours = [*results, *neighbours]
    alone = not _others_seen(before, after, ours)
    found = {
        "queue_ms": _mean_ms(before, after, QUEUE),
        "prefill_ms": _mean_ms(before, after, PREFILL),
        "ttft_ms": _mean_ms(before, after, TTFT),
        "rest_ms": None,
    }
    client_ns = mean([r.ttft_ns for r in results if r.ttft_ns is not None])
    if client_ns is not None and found["ttft_ms"] is not None:
        found["rest_ms"] = round(client_ns / 1e6 - found["ttft_ms"], 3)
    if neighbours or not alone or not _all_counted(before, after, ours):
        found = dict.fromkeys(found)
    return {
        "alone": alone,
        **found,
        "preemptions": _rise(before, after, _PREEMPTIONS),
        "prefix_query_tokens": _rise(before, after, _QUERIES),
        "prefix_hit_tokens": _rise(before, after, _HITS),
        "before": before.gauges,
        "after": after.gauges,
    }


def _others_seen(before: Counters, after: Counters, ours: Sequence[Result]) -> bool:
    """More requests than ours account for, who may go on a little after their end."""
    unfinished = sum(result.status != "completed" for result in ours)
    counted = _rise(before, after, f"{PREFILL}_count") or 0.0
    left = after.under_way
    return before.busy or left > unfinished or counted + left > len(ours)


def _all_counted(before: Counters, after: Counters, ours: Sequence[Result]) -> bool:
    """Each of ours ended well and is in the server's sums, and nothing else is."""
    completed = all(result.status == "completed" for result in ours)
    return completed and _rise(before, after, f"{PREFILL}_count") == len(ours)


def _mean_ms(before: Counters, after: Counters, name: str) -> float | None:
    total = _rise(before, after, f"{name}_sum")
    count = _rise(before, after, f"{name}_count")
    return round(total * 1000 / count, 3) if total is not None and count else None


def _rise(before: Counters, after: Counters, name: str) -> float | None:
    if name not in after.values:
        return None
    return after.values[name] - before.values.get(name, 0.0)
