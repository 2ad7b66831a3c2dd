"""One level of a load as its page shows it; None where something is missing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from .engine_split import engine_split
from .levels import Json, requests_of
from .limits import RunLimit, mean_context
from .result import Percentiles, percentiles, sentences
from .spec import Spec


@dataclass(frozen=True, slots=True)
class Band:
    """One number over the repetitions."""

    low: float
    median: float
    high: float

    def overlaps(self, other: "Band") -> bool:
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True, slots=True)
class Goodput:
    """Completed requests that kept to every limit."""

    limits: dict[str, float | None]
    """ttft_ms, tpot_ms, e2e_ms; None is no limit."""
    requests: int | None
    requests_per_s: float | None
    share_percent: float | None
    """Of all requests that were not cancelled."""


LimitOf = Callable[[int, int, float | None], RunLimit]
"""Of users, tokens in each one's KV cache, and the measured TPOT in ms."""


@dataclass(frozen=True, slots=True)
class LevelResult:
    """One number of users. Latencies are over all completed requests, in ms."""

    users: int
    reached_users: int | None
    """Most requests that were in flight at once."""
    repetitions: int
    repetitions_asked: int
    requests: int
    """Those that have ended, and those that were cancelled."""
    completed: int
    failed: int
    incomplete: int
    cancelled: int
    ttft: Percentiles | None
    tpot: Percentiles | None
    itl: Percentiles | None
    e2e: Percentiles | None
    bands: Mapping[str, Band]
    """By metric; without the metrics that no two repetitions have."""
    output_tokens_per_s: float | None
    steady_tokens_per_s: float | None
    """While all users are busy."""
    peak_tokens_per_s: float | None
    """Of the best second."""
    goodput: Goodput | None
    tokens: int | None
    tokens_per_event: float | None
    cached_share: float | None
    """Of the prompts' tokens, from 0 to 1."""
    queue_ms: float | None
    """Mean on the engine's clock, as the next two; None is "not separable here"."""
    prefill_ms: float | None
    rest_ms: float | None
    """The client's TTFT less the engine's: network, HTTP, rendering."""
    preemptions: int | None
    prefix_hit_tokens: int | None
    prefix_query_tokens: int | None
    error: str | None
    """Of the first request that did not complete, in words."""
    notes: tuple[str, ...]
    """Sentences."""
    limit: RunLimit | None

    @classmethod
    def of(cls, level: Json, asked: Spec, limit_of: LimitOf | None) -> Self:
        summary, load, requests = level["summary"], level["load"], requests_of(level)
        get, tpot = summary.get, percentiles(summary.get("tpot_ms"))
        users, prompt = level["users"], get("prompt_tokens")
        odd = next((r for r in requests if r.get("error")), None)
        codes = [n for n in get("notes") or () if n not in SAID_ELSEWHERE]
        return cls(
            users=users,
            reached_users=load.get("reached_users"),
            repetitions=len(level["repetitions"]),
            repetitions_asked=asked.repeat,
            requests=len(requests),
            **{name: get(name) or 0 for name in COUNTS},
            ttft=percentiles(get("ttft_ms")),
            tpot=tpot,
            itl=percentiles(get("itl_ms")),
            e2e=percentiles(get("e2e_ms")),
            bands=bands(get("bands") or {}),
            output_tokens_per_s=get("output_tokens_per_s"),
            steady_tokens_per_s=get("steady_tokens_per_s"),
            peak_tokens_per_s=get("peak_tokens_per_s"),
            goodput=goodput(get("goodput")),
            tokens=get("tokens"),
            tokens_per_event=get("tokens_per_event"),
            cached_share=cached_share(prompt, get("cached_tokens")),
            **engine_split(level["repetitions"]),
            error=odd["error"] if odd else None,
            notes=sentences(codes),
            limit=limit_at(limit_of, asked, users, tpot),
        )

    @property
    def is_whole(self) -> bool:
        """Every repetition ran to its end."""
        return self.repetitions == self.repetitions_asked and not self.cancelled

    @property
    def is_separable(self) -> bool:
        """The engine had no other traffic, so its times are this level's."""
        return self.queue_ms is not None and self.prefill_ms is not None


COUNTS = ("completed", "failed", "incomplete", "cancelled")
SAID_ELSEWHERE = frozenset({"stopped", "time-limit"})
"""The run's own sentence says these."""


def p50(found: Percentiles | None) -> float | None:
    return found.p50 if found else None


def bands(stored: Mapping[str, Any]) -> dict[str, Band]:
    return {
        name: Band(band["low"], band["median"], band["high"])
        for name, band in stored.items()
        if band and band["median"] is not None and band.get("n") != 1
    }


def goodput(stored: Mapping[str, Any] | None) -> Goodput | None:
    if not stored:
        return None
    share = stored.get("share")
    return Goodput(
        limits={name: stored.get(name) for name in ("ttft_ms", "tpot_ms", "e2e_ms")},
        requests=stored.get("requests"),
        requests_per_s=stored.get("requests_per_s"),
        share_percent=None if share is None else 100 * share,
    )


def cached_share(prompt: int | None, cached: int | None) -> float | None:
    return cached / prompt if prompt and cached is not None else None


def limit_at(
    limit_of: LimitOf | None, asked: Spec, users: int, tpot: Percentiles | None
) -> RunLimit | None:
    """None when nobody knows limits here; a limit that cannot be has its reason."""
    if limit_of is None:
        return None
    context = mean_context(asked.prompt_tokens_at_most, asked.max_tokens)
    return limit_of(users, context, p50(tpot))
