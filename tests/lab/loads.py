"""Events and reports of loads, as the measuring client tells them."""


def told(p50, n=4):
    return {"p50": p50, "p90": p50, "p99": p50, "mean": p50, "n": n}


def request(stream=0, status="completed", ttft_ms=200.0, tokens=11, **changes):
    """One of `tokens` tokens, 30 ms each."""
    done = status == "completed"
    return {
        "status": status,
        "error": None if done else "HTTP 500: broken",
        "user": stream,
        "sent_ms": 1_000.0,
        "ttft_ms": ttft_ms if done else None,
        "tpot_ms": 30.0 if done else None,
        "e2e_ms": ttft_ms + 30.0 * (tokens - 1) if done else None,
        "stream_end_ms": ttft_ms + 30.0 * (tokens - 1) + 1 if done else None,
        "itl_ms": [30.0] * (tokens - 1) if done else [],
        "tokens": tokens if done else None,
        "events": tokens if done else 0,
        "prompt_tokens": 64 if done else None,
        "cached_tokens": 16 if done else None,
        "text": "secret",
        "reasoning": "",
        "other_texts": [],
        "notes": [],
    } | changes


def summary(requests, rate=29.5, **changes):
    """Of one repetition; rates and percentiles as given, counts as they are."""
    statuses = [request["status"] for request in requests]
    done = [request for request in requests if request["status"] == "completed"]
    return {
        **{
            status: statuses.count(status)
            for status in ("completed", "failed", "incomplete", "cancelled")
        },
        "ttft_ms": told(200.0, len(done)),
        "tpot_ms": told(30.0, len(done)),
        "itl_ms": told(30.0, 10 * len(done)),
        "e2e_ms": told(500.0, len(done)),
        "output_tokens_per_s": rate,
        "steady_tokens_per_s": rate,
        "peak_tokens_per_s": rate,
        "tokens_per_event": 1.0,
        "tokens": 11 * len(done) if done else None,
        "prompt_tokens": 64 * len(done),
        "cached_tokens": 16 * len(done),
        "goodput": None,
        "notes": [],
    } | changes


def level_event(state, users, repetition=0, requests=4, **changes):
    return {
        "k": "level",
        "t_us": 0,
        "state": state,
        "users": users,
        "repetition": repetition,
        "requests": requests,
        "summary": None,
    } | changes


def repetition_events(users, requests, repetition=0, **changes):
    """All that is told of one repetition that ended."""
    count = len(requests)
    return [
        level_event("started", users, repetition, count),
        *(
            {"k": "request", "t_us": 0, "stream": n, "warmup": False, "request": r}
            for n, r in enumerate(requests)
        ),
        level_event(
            "ended", users, repetition, count, summary=summary(requests, **changes)
        ),
    ]


def repetition(users, requests, engine=None, **changes):
    """One of a report."""
    return {
        "load": {"users": users, "requests": len(requests), "reached_users": users},
        "engine": engine,
        "requests": requests,
        "warmup": [],
        "summary": summary(requests, **changes),
    }


def level(users, *repetitions, bands=None, **changes):
    """One of a report; its summary is that of all requests together."""
    requests = [request for one in repetitions for request in one["requests"]]
    return {
        "users": users,
        "load": repetitions[0]["load"],
        "summary": summary(requests, **changes) | {"bands": bands or {}},
        "repetitions": list(repetitions),
    }


def report(*levels):
    return {
        "format": "prefill-measure/1",
        "target": {"engine": "vllm 0.31.0"},
        "notes": [],
        "levels": list(levels),
    }
