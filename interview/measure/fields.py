"""A mapping of plain values, from the spec or the command line, to what is measured.

Checks each field and names the wrong one; knows neither stdin nor argparse.
"""

import math
from collections.abc import Mapping
from typing import Any

from interview.measure.errors import UsageError
from interview.measure.target import Target, target
from interview.measure.workload import Load, default_requests, default_warmup

Fields = Mapping[str, Any]

MAX_USERS = 64
MAX_REQUESTS = 100_000
MAX_TOKENS = 1_000_000

_TARGET = {"url", "model", "api", "api_key", "extra_body", "headers"}
_LOAD = {
    "users",
    "requests",
    "max_tokens",
    "prompt",
    "prompt_tokens",
    "ignore_eos",
    "seed",
    "warmup",
    "timeout",
    "fresh_prompt",
    "max_seconds",
}


def target_of(fields: Fields) -> Target:
    """Raises UsageError; also for a field that neither target nor load has."""
    unknown = sorted(set(fields) - _TARGET - _LOAD)
    if unknown:
        raise UsageError(f"Unknown field {unknown[0]!r}.")
    headers = _object(fields, "headers")
    if not all(isinstance(value, str) for value in headers.values()):
        raise UsageError("headers must be an object of texts.")
    return target(
        _text(fields, "url") or "",
        _text(fields, "model") or "",
        api=_text(fields, "api") or "chat",
        api_key=_text(fields, "api_key"),
        headers=headers,
        extra_body=_object(fields, "extra_body"),
    )


def load_of(fields: Fields) -> Load:
    """Fills in the defaults; raises UsageError."""
    users = _whole(fields, "users", 1, 1, MAX_USERS)
    prompt = _text(fields, "prompt")
    if prompt is not None and fields.get("prompt_tokens") is not None:
        raise UsageError("Give prompt or prompt_tokens, not both.")
    if prompt is not None and not prompt.strip():
        raise UsageError("The prompt is empty.")
    tokens = None
    if prompt is None:
        tokens = _whole(fields, "prompt_tokens", 256, 1, MAX_TOKENS)
    return Load(
        users=users,
        requests=_whole(fields, "requests", default_requests(users), 1, MAX_REQUESTS),
        max_tokens=_whole(fields, "max_tokens", 128, 1, MAX_TOKENS),
        prompt=prompt,
        prompt_tokens=tokens,
        fresh_prompt=_flag(fields, "fresh_prompt", default=True),
        ignore_eos=_flag(fields, "ignore_eos", default=prompt is None),
        seed=_whole(fields, "seed", 1, 0, 2**31 - 1),
        warmup=_whole(fields, "warmup", default_warmup(users), 0, MAX_REQUESTS),
        timeout_s=_seconds(fields, "timeout") or 60.0,
        max_seconds=_seconds(fields, "max_seconds"),
    )


def _text(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} must be a text.")
    return value


def _object(fields: Fields, name: str) -> dict[str, Any]:
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(f"{name} must be an object.")
    return value


def _whole(fields: Fields, name: str, default: int, low: int, high: int) -> int:
    value = fields.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{name} must be a whole number.")
    if not low <= value <= high:
        raise UsageError(f"{name} must be from {low} to {high}, not {value}.")
    return value


def _flag(fields: Fields, name: str, *, default: bool) -> bool:
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false.")
    return value


def _seconds(fields: Fields, name: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value <= 0:
        raise UsageError(f"{name} must be a number of seconds above 0.")
    return float(value)
