"""Moments, and events as the measuring client writes them."""

import json
from datetime import UTC, datetime, timedelta

from django.urls import reverse

NOW = datetime(2026, 10, 5, 12, 0, tzinfo=UTC)


def later(seconds):
    return NOW + timedelta(seconds=seconds)


def phase(name, t_us, stream=0):
    return {"k": "phase", "t_us": t_us, "phase": name, "stream": stream}


def token(text, t_us, n=1, stream=0, channel="content"):
    return {
        "k": "tokens",
        "t_us": t_us,
        "stream": stream,
        "n": n,
        "text": text,
        "channel": channel,
    }


def batch(*events):
    return json.dumps(list(events))


def at(name, run):
    return reverse(f"lab:{name}", args=[run.slug])


REPORT = {
    "format": "prefill-measure/1",
    "target": {"engine": "vllm 0.31.0"},
    "requests": [
        {
            "status": "completed",
            "ttft_ms": 257.0,
            "e2e_ms": 900.0,
            "tpot_ms": None,
            "tokens": 20,
            "text": "<b>Because</b>",
        }
    ],
    "summary": {},
}
