"""Results to the JSON contract `prefill-measure/1`; no network, no clock.

Milliseconds with all digits of the nanosecond; missing is null, never 0.
"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from interview.measure.measured import Measured
from interview.measure.milliseconds import ms
from interview.measure.pooled import pooled_reached_users, pooled_summary
from interview.measure.result import Result
from interview.measure.target import Target
from interview.measure.throughput import reached_users
from interview.measure.workload import Load, Plan

FORMAT = "prefill-measure/1"

Json = dict[str, Any]


def report(
    target: Target,
    engine: str | None,
    plan: Plan,
    measured: Sequence[Measured],
    origin_ns: int,
    *,
    texts: bool = True,
) -> Json:
    """The whole report; `origin_ns` is what `sent_ms` counts from.

    By level when the plan is a series, flat when it is one repetition. Without `texts`
    only stream 0 of each repetition keeps its answer.
    """
    head = about(target, engine)
    if not plan.is_series:
        return head | _repetition(measured[0], origin_ns, texts)
    planned = len(plan.loads) * plan.repeat
    whole = sum(one.is_whole for one in measured)
    return head | {
        "notes": ["stopped"] if whole < planned else [],
        "levels": [
            _level(list(level), plan.repeat, origin_ns, texts)
            for _, level in groupby(measured, lambda one: one.repetition.level)
        ],
    }


def about(target: Target, engine: str | None) -> Json:
    """What every report begins with."""
    return {
        "format": FORMAT,
        "target": {
            "url": target.root,
            "model": target.model,
            "api": target.api,
            "engine": engine,
            "extra_body": dict(target.extra_body),
        },
    }


def _level(level: Sequence[Measured], repeat: int, origin_ns: int, texts: bool) -> Json:
    load = level[0].repetition.load
    return {
        "name": load.name,
        "users": load.users,
        "load": load_json(load, pooled_reached_users(level)) | {"repeat": repeat},
        "summary": pooled_summary(level),
        "repetitions": [_repetition(one, origin_ns, texts) for one in level],
    }


def _repetition(one: Measured, origin_ns: int, texts: bool) -> Json:
    results = one.level.results
    return {
        "load": load_json(one.repetition.load, reached_users(results)),
        "engine": one.engine,
        "requests": [
            request(result, origin_ns, text=texts or index == 0)
            for index, result in enumerate(results)
        ],
        "neighbours": [
            request(neighbour.result, origin_ns, text=False, lists=False)
            | {"of": neighbour.of}
            for neighbour in one.level.neighbours
        ],
        "warmup": [
            request(result, origin_ns, text=texts or index == 0)
            for index, result in enumerate(one.warmups)
        ],
        "summary": one.summary,
    }


def load_json(load: Load, reached: int) -> Json:
    """What was asked of a level, and how many were in flight at once."""
    return {
        "users": load.users,
        "requests": load.requests,
        "max_tokens": load.max_tokens,
        "prompt_tokens": load.prompt_tokens,
        "prompt": load.prompt,
        "fresh_prompt": load.fresh_prompt,
        "ignore_eos": load.ignore_eos,
        "seed": load.seed,
        "warmup": load.warmup,
        "neighbours": asdict(load.neighbours) if load.neighbours else None,
        "reached_users": reached,
    }


def request(
    result: Result, origin_ns: int, *, text: bool = True, lists: bool = True
) -> Json:
    """One request of the report; what is left out is there and empty."""
    sent_ns = result.sent_ns
    texts = result.texts if text else ()
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
        "itl_ms": [ms(gap_ns) for gap_ns in result.itl_ns] if lists else [],
        "event_tokens": list(result.event_tokens) if lists else [],
        "finish_reason": result.finish_reason,
        "text": texts[0] if texts else "",
        "other_texts": list(texts[1:]),
        "reasoning": result.reasoning if text else "",
        "server": result.server,
        "notes": list(result.notes),
    }
