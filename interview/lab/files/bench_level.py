"""One result of vLLM's benchmark as one repetition of a level in our own report.

What the file does not hold is None. Its failed requests, zeros in its lists, are
failed requests without numbers.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from interview.measure.statistics import summary

from .bench_file import BenchFile, Json

MS = 1000
METRICS = {"ttft_ms": "ttft", "tpot_ms": "tpot", "itl_ms": "itl", "e2e_ms": "e2el"}
"""Our name and vLLM's."""
OF_TWO_TOKENS = ("tpot_ms", "itl_ms")
"""They need a token after the first."""


def repetition(file: BenchFile) -> Json:
    """With `load`, `engine`, `requests`, `warmup` and `summary`."""
    requests = requests_of(file) if file.is_detailed else []
    return {
        "load": load_of(file),
        "engine": None,
        "requests": requests,
        "warmup": [],
        "summary": summary_of(file, requests),
    }


def load_of(file: BenchFile) -> Json:
    told = file.told
    return {
        "users": file.users,
        "requests": told["num_prompts"],
        "prompt_tokens": mean_of(told, "total_input_tokens"),
        "max_tokens": mean_of(told, "total_output_tokens"),
        "fresh_prompt": None,
        # vLLM's own count of requests in flight is by whole seconds.
        "reached_users": told.get("max_concurrent_requests") if file.is_ours else None,
        "duration_s": told.get("duration"),
    }


def mean_of(told: Json, key: str) -> int | None:
    """Tokens of a request, on average."""
    total, completed = told.get(key), told["completed"]
    return round(total / completed) if total and completed else None


def requests_of(file: BenchFile) -> list[Json]:
    told = file.told
    starts: Sequence[float | None] = told.get("start_times") or ()
    first = min((start for start in starts if start is not None), default=None)
    return [
        request(told, at, since(first, starts[at] if starts else None))
        for at in range(len(told["ttfts"]))
    ]


def request(told: Json, at: int, sent_ms: float | None) -> Json:
    error, tokens = told["errors"][at], told["output_lens"][at]
    done = not error and bool(tokens)
    gaps_ms = [MS * gap for gap in told["itls"][at]]
    ttft_ms = ms(told["ttfts"][at]) if done else None
    e2e_ms = end_ms(told, at, ttft_ms, gaps_ms) if done else None
    return {
        "status": "completed" if done else "failed",
        "error": None if done else error or "vLLM’s benchmark counts it as failed.",
        "user": None,
        "sent_ms": sent_ms,
        "ttft_ms": ttft_ms,
        "e2e_ms": e2e_ms,
        "tpot_ms": per_token_ms(ttft_ms, e2e_ms, tokens),
        "stream_end_ms": e2e_ms,
        "tokens": tokens if done else None,
        "prompt_tokens": told["input_lens"][at],
        "cached_tokens": None,
        "itl_ms": gaps_ms if done else [],
        "event_tokens": [],
        "text": None,
        "reasoning": None,
        "other_texts": [],
        "notes": [],
    }


def end_ms(
    told: Json, at: int, ttft_ms: float | None, gaps_ms: Sequence[float]
) -> float | None:
    """As told, else the sum of its parts."""
    if latencies := told.get("latencies"):
        return ms(latencies[at])
    return None if ttft_ms is None else ttft_ms + sum(gaps_ms)


def per_token_ms(ttft_ms: float | None, e2e_ms: float | None, tokens: Any) -> Any:
    if ttft_ms is None or e2e_ms is None or not tokens or tokens < 2:
        return None
    return (e2e_ms - ttft_ms) / (tokens - 1)


def summary_of(file: BenchFile, requests: Sequence[Json]) -> Json:
    told, completed = file.told, file.told["completed"]
    failed = told.get("failed")
    ours = file.is_ours
    return {
        "completed": completed,
        "failed": told["num_prompts"] - completed if failed is None else failed,
        "incomplete": None,
        "cancelled": None,
        **{name: statistics(told, name, requests) for name in METRICS},
        "output_tokens_per_s": told.get("output_throughput") if completed else None,
        "steady_tokens_per_s": None,
        # vLLM counts the events of a second, we its tokens.
        "peak_tokens_per_s": told.get("max_output_tokens_per_s") if ours else None,
        "tokens": told.get("total_output_tokens") if completed else None,
        "prompt_tokens": told.get("total_input_tokens") if completed else None,
        "cached_tokens": None,
        "tokens_per_event": None,
        "goodput": None,
        "notes": [],
    }


def statistics(told: Json, name: str, requests: Sequence[Json]) -> Json | None:
    """From the requests where the file has them, else as far as it was told.

    vLLM writes 0 where there was nothing to count; then it is None.
    """
    if requests:
        return from_requests(name, requests)
    tokens, completed = told.get("total_output_tokens"), told["completed"]
    one_token_each = tokens is not None and tokens <= completed
    if not completed or (name in OF_TWO_TOKENS and one_token_each):
        return None
    if name == "e2e_ms" and (latencies := all_latencies(told)):
        return of_values(latencies)
    theirs = METRICS[name]
    found = {s: told.get(f"{s}_{theirs}_ms") for s in ("p90", "p99", "mean")}
    found |= {"p50": told.get(f"median_{theirs}_ms"), "max": None}
    if all(value is None for value in found.values()):
        return None
    return found | {"n": None if name in OF_TWO_TOKENS else completed}


def all_latencies(told: Json) -> list[float]:
    """In ms; vLLM leaves this list in a file without the others. None of them where a
    request failed: which of them it is the file does not tell."""
    latencies = told.get("latencies") or []
    if len(latencies) != told["completed"] or told.get("failed"):
        return []
    return [MS * latency for latency in latencies if latency is not None]


def from_requests(name: str, requests: Sequence[Json]) -> Json | None:
    done = [request for request in requests if request["status"] == "completed"]
    values = [request[name] for request in done if request[name] is not None]
    if name == "itl_ms":
        values = list(chain.from_iterable(values))
    return of_values(values) if values else None


def of_values(values: Sequence[float]) -> Json:
    found = summary(values)
    told = {part: getattr(found, part) for part in ("p50", "p90", "p99", "mean", "n")}
    return told | {"max": max(values)}


def since(first: float | None, start: float | None) -> float | None:
    return None if first is None or start is None else MS * (start - first)


def ms(seconds: float | None) -> float | None:
    return None if seconds is None else MS * seconds
