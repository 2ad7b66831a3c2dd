"""Moments, and events as the measuring client writes them."""

import json
from datetime import UTC, datetime, timedelta

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
