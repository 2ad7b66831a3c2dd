"""Results to the JSON contract `prefill-measure/1`; no network, no clock.

Milliseconds with all digits of the nanosecond; missing is null, never 0.
"""

from collections.abc import Sequence
from typing import Any

from interview.measure.level import level_summary
from interview.measure.load import Level
from interview.measure.milliseconds import ms
from interview.measure.result import Result
from interview.measure.target import Target
from interview.measure.throughput import reached_users
from interview.measure.workload import Load

FORMAT = "prefill-measure/1"

Json = dict[str, Any]


def report(
    target: Target,
    engine: str | None,
    load: Load,
    level: Level,
    warmups: Sequence[Result],
    lags_ns: Sequence[int],
    origin_ns: int,
    engine_view: Json | None = None,
    notes: Sequence[str] = (),
) -> Json:
    """The whole report; `origin_ns` is what `sent_ms` counts from.

    `engine_view` is the engine's own account of the level, on its clock.
    """
    return {
        "format": FORMAT,
        "target": {
            "url": target.root,
            "model": target.model,
            "api": target.api,
            "engine": engine,
            "extra_body": dict(target.extra_body),
        },
        "load": {
            "users": load.users,
            "requests": load.requests,
            "max_tokens": load.max_tokens,
            "prompt_tokens": load.prompt_tokens,
            "prompt": load.prompt,
            "fresh_prompt": load.fresh_prompt,
            "ignore_eos": load.ignore_eos,
            "seed": load.seed,
            "warmup": load.warmup,
            "reached_users": reached_users(level.results),
        },
        "engine": engine_view,
        "requests": [request(result, origin_ns) for result in level.results],
        "warmup": [request(result, origin_ns) for result in warmups],
        "summary": level_summary(load, level, lags_ns, notes),
    }


def request(result: Result, origin_ns: int) -> Json:
    """One request of the report."""
    sent_ns = result.sent_ns
    return {
        "status": result.status,
        "error": result.error,
        "http_status": result.http_status,
        "user": result.user,
        "sent_ms": None if sent_ns is None else ms(sent_ns - origin_ns),
        "connect_ms": ms(result.connect_ns),
        "headers_ms": ms(result.headers_ns),
        "ttft_ms": ms(result.ttft_ns),
        "ttfo_ms": ms(result.ttfo_ns),
        "e2e_ms": ms(result.e2e_ns),
        "stream_end_ms": ms(result.stream_end_ns),
        "tpot_ms": ms(result.tpot_ns),
        "tpot_after_first_event_ms": ms(result.tpot_after_first_event_ns),
        "tokens": result.tokens,
        "tokens_from": result.tokens_from,
        "prompt_tokens": result.prompt_tokens,
        "cached_tokens": result.cached_tokens,
        "reasoning_tokens": result.reasoning_tokens,
        "events": len(result.event_tokens),
        "first_event_tokens": result.event_tokens[0] if result.event_tokens else None,
        "itl_ms": [ms(gap_ns) for gap_ns in result.itl_ns],
        "event_tokens": list(result.event_tokens),
        "finish_reason": result.finish_reason,
        "text": result.texts[0] if result.texts else "",
        "other_texts": list(result.texts[1:]),
        "reasoning": result.reasoning,
        "server": result.server,
        "notes": list(result.notes),
    }
