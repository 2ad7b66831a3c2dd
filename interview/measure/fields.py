"""A mapping of plain values, from the spec or the command line, to what is measured.

Checks each field and names the wrong one; knows neither stdin nor argparse.
"""

import math
from collections.abc import Mapping
from typing import Any

from interview.measure.errors import UsageError
from interview.measure.target import Target, target
from interview.measure.workload import (
    Limits,
    Load,
    Plan,
    default_requests,
    default_warmup,
)

Fields = Mapping[str, Any]

MAX_USERS = 256
MAX_LEVELS = 8
MAX_REPEAT = 20
MAX_REQUESTS = 100_000
MAX_TOKENS = 1_000_000

_TARGET = {"url", "model", "api", "api_key", "extra_body", "headers"}
_LOAD = {
    "users",
    "levels",
    "repeat",
    "limits",
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


def plan_of(fields: Fields) -> Plan:
    """Fills in the defaults; raises UsageError."""
    levels = _levels(fields)
    requests = _requests(fields, levels)
    return Plan(
        loads=tuple(
            _load(fields, users, number)
            for users, number in zip(levels, requests, strict=True)
        ),
        repeat=_whole(fields, "repeat", 1, 1, MAX_REPEAT),
    )


def _levels(fields: Fields) -> list[int]:
    """Numbers of users, in the order they are measured."""
    levels = fields.get("levels")
    if levels is None:
        return [_whole(fields, "users", 1, 1, MAX_USERS)]
    if fields.get("users") is not None:
        raise UsageError("Give users or levels, not both.")
    if not isinstance(levels, list) or not 1 <= len(levels) <= MAX_LEVELS:
        raise UsageError(f"levels must be a list of 1 to {MAX_LEVELS} numbers.")
    users = [_checked("levels", value, 1, MAX_USERS) for value in levels]
    if len(set(users)) < len(users):
        raise UsageError("levels must name each number of users once.")
    return users


def _requests(fields: Fields, levels: list[int]) -> list[int]:
    """Of each level."""
    given = fields.get("requests")
    if given is None:
        return [default_requests(users) for users in levels]
    if not isinstance(given, list):
        given = [given] * len(levels)
    if len(given) != len(levels):
        raise UsageError(
            f"requests has {len(given)} numbers for {len(levels)} levels: give one"
            " for all or one for each."
        )
    return [_checked("requests", value, 1, MAX_REQUESTS) for value in given]


def _limits(fields: Fields) -> Limits | None:
    given = _object(fields, "limits")
    names = ("ttft_ms", "tpot_ms", "e2e_ms")
    for name in sorted(set(given) - set(names)):
        raise UsageError(f"limits has {', '.join(names)}, not {name!r}.")
    limits = {name: _above_zero(given, name, "milliseconds") for name in names}
    if not any(limits.values()):
        return None
    return Limits(**limits)


def _load(fields: Fields, users: int, requests: int) -> Load:
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
        requests=requests,
        max_tokens=_whole(fields, "max_tokens", 128, 1, MAX_TOKENS),
        prompt=prompt,
        prompt_tokens=tokens,
        fresh_prompt=_flag(fields, "fresh_prompt", default=True),
        ignore_eos=_flag(fields, "ignore_eos", default=prompt is None),
        seed=_whole(fields, "seed", 1, 0, 2**31 - 1),
        warmup=_whole(fields, "warmup", default_warmup(users), 0, MAX_REQUESTS),
        timeout_s=_above_zero(fields, "timeout", "seconds") or 60.0,
        max_seconds=_above_zero(fields, "max_seconds", "seconds"),
        limits=_limits(fields),
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
    return default if value is None else _checked(name, value, low, high)


def _checked(name: str, value: object, low: int, high: int) -> int:
    """The value, when it is a whole number in these bounds; raises UsageError."""
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


def _above_zero(fields: Fields, name: str, unit: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value <= 0:
        raise UsageError(f"{name} must be a number of {unit} above 0.")
    return float(value)
