"""One repetition in the shape of `vllm bench serve --save-result --save-detailed`.

Keys and units are those of vLLM 0.31.0, `vllm/benchmarks/serve.py`: times in seconds,
statistics in ms. What was not measured is null, where vLLM has 0.
"""

from collections.abc import Sequence
from statistics import pstdev
from typing import Any

from interview.measure.statistics import summary

from ..models import Run
from ..results.levels import Json, levels_of
from .origin import CHAT, OURS, backend_of, tool_of

MS_PER_S = 1000
STATISTICS = {"ttft": "ttft_ms", "tpot": "tpot_ms", "e2el": "e2e_ms"}


def bench_document(run: Run, load: str, repetition: int) -> Json | None:
    """Of a load by its name or its users; the first when `load` is "".

    None when it was not measured, and of a gathering, whose requests have no one load.
    """
    levels = levels_of(run.report or {})
    named = [one for one in levels if load in ("", one.get("name"))]
    by_users = [one for one in levels if load == str(one["users"])]
    level = next(iter(named or by_users), None)
    if level is None or repetition >= len(level["repetitions"]):
        return None
    if level.get("joined"):
        return None
    found = level["repetitions"][repetition]
    return setup(run, level, found, repetition) | measured(found)


def setup(run: Run, level: Json, found: Json, repetition: int) -> Json:
    """What was asked. As with vLLM's `--metadata`, the last keys are our own."""
    moment = run.started_at or run.created_at
    is_ours = tool_of(run) == OURS
    backend = CHAT if is_ours else backend_of(run)
    return {
        "date": moment.strftime("%Y%m%d-%H%M%S"),
        "endpoint_type": backend,
        "backend": backend,
        "label": None,
        "model_id": run.model,
        "tokenizer_id": run.model,
        "num_prompts": found["load"]["requests"],
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": level["users"],
        # Its mark: what another tool measured stays that tool's when it comes back.
        "run": run.slug if is_ours else None,
        "load": level.get("name"),
        "repetition": repetition,
        "simulated": run.simulated,
    }


def measured(found: Json) -> Json:
    """Totals, statistics over completed requests, and one entry per request."""
    requests, get = found["requests"], found["summary"].get
    if not requests:
        return summarized(found)
    done = [request for request in requests if request["status"] == "completed"]
    # A file of a version without start times tells the whole of it alone.
    duration = duration_s(requests) or found["load"].get("duration_s")
    prompt, output = (total(done, name) for name in ("prompt_tokens", "tokens"))
    both = None if prompt is None or output is None else prompt + output
    totals = {
        "duration": duration,
        "completed": len(done),
        "failed": len(requests) - len(done),
        "total_input_tokens": prompt,
        "total_output_tokens": output,
        "request_throughput": per_s(len(done), duration),
        "request_goodput": (get("goodput") or {}).get("requests_per_s"),
        "output_throughput": per_s(output, duration),
        "total_token_throughput": per_s(both, duration),
    }
    peaks = {
        "max_output_tokens_per_s": get("peak_tokens_per_s"),
        "max_concurrent_requests": found["load"].get("reached_users"),
        "rtfx": None,
    }
    return totals | detailed(requests) | peaks | all_statistics(done)


def summarized(found: Json) -> Json:
    """Of an imported file without its requests: what its summary still tells."""
    get = found["summary"].get
    duration = found["load"].get("duration_s")
    prompt, output, completed = get("prompt_tokens"), get("tokens"), get("completed")
    both = None if prompt is None or output is None else prompt + output
    told: Json = {
        "duration": duration,
        "completed": completed,
        "failed": get("failed"),
        "total_input_tokens": prompt,
        "total_output_tokens": output,
        "request_throughput": per_s(completed, duration),
        "output_throughput": get("output_tokens_per_s"),
        "total_token_throughput": per_s(both, duration),
        "max_output_tokens_per_s": get("peak_tokens_per_s"),
        "max_concurrent_requests": found["load"].get("reached_users"),
    }
    for name, field in (STATISTICS | {"itl": "itl_ms"}).items():
        values = get(field) or {}
        for ours, theirs in (("mean", "mean"), ("p50", "median"), ("p99", "p99")):
            told[f"{theirs}_{name}_ms"] = values.get(ours)
    return told


def detailed(requests: Sequence[Json]) -> Json:
    return {
        "input_lens": [request.get("prompt_tokens") for request in requests],
        "output_lens": [request.get("tokens") for request in requests],
        "ttfts": [seconds(request.get("ttft_ms")) for request in requests],
        "itls": [
            [gap / MS_PER_S for gap in request.get("itl_ms") or ()]
            for request in requests
        ],
        "latencies": [seconds(request.get("e2e_ms")) for request in requests],
        "start_times": [seconds(request.get("sent_ms")) for request in requests],
        "queue_times": [0.0 for _ in requests],
        "generated_texts": [request.get("text") or "" for request in requests],
        "errors": [request.get("error") or "" for request in requests],
    }


def all_statistics(done: Sequence[Json]) -> Json:
    values = {name: known(done, field) for name, field in STATISTICS.items()}
    values["itl"] = [gap for request in done for gap in request.get("itl_ms") or ()]
    found: Json = {}
    for name, numbers in values.items():
        told = summary(numbers)
        found |= {
            f"mean_{name}_ms": told.mean,
            f"median_{name}_ms": told.p50,
            f"std_{name}_ms": pstdev(numbers) if numbers else None,
            f"p99_{name}_ms": told.p99,
        }
    return found


def duration_s(requests: Sequence[Json]) -> float | None:
    """From the first sending to the end of the last stream, in s."""
    starts = known(requests, "sent_ms")
    ends = [
        request["sent_ms"] + request["stream_end_ms"]
        for request in requests
        if request.get("sent_ms") is not None
        and request.get("stream_end_ms") is not None
    ]
    return (max(ends) - min(starts)) / MS_PER_S if ends else None


def known(requests: Sequence[Json], name: str) -> list[Any]:
    return [r[name] for r in requests if r.get(name) is not None]


def total(requests: Sequence[Json], name: str) -> int | None:
    values = known(requests, name)
    return sum(values) if values else None


def seconds(value_ms: float | None) -> float | None:
    return None if value_ms is None else value_ms / MS_PER_S


def per_s(number: float | None, duration: float | None) -> float | None:
    return number / duration if number is not None and duration else None
