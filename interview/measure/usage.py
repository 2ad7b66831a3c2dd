"""The `usage` object of an answer: a field that is no count is missing, never 0."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one answer as the server gives them."""

    completion_tokens: int | None
    prompt_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None


def usage_of(usage: object) -> Usage | None:
    """The `usage` object; None when absent or null."""
    if not isinstance(usage, dict):
        return None
    prompt_details = _object(usage.get("prompt_tokens_details"))
    completion_details = _object(usage.get("completion_tokens_details"))
    return Usage(
        completion_tokens=count(usage.get("completion_tokens")),
        prompt_tokens=count(usage.get("prompt_tokens")),
        cached_tokens=count(prompt_details.get("cached_tokens")),
        reasoning_tokens=count(completion_details.get("reasoning_tokens")),
    )


def newer(known: Usage | None, usage: Usage | None) -> Usage | None:
    """The newest counts; a field the newest leaves out keeps its last value."""
    if known is None or usage is None:
        return usage or known
    return Usage(
        _either(usage.completion_tokens, known.completion_tokens),
        _either(usage.prompt_tokens, known.prompt_tokens),
        _either(usage.cached_tokens, known.cached_tokens),
        _either(usage.reasoning_tokens, known.reasoning_tokens),
    )


def _either(newest: int | None, known: int | None) -> int | None:
    return known if newest is None else newest


def count(value: object) -> int | None:
    """The value when it is a whole number of things."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
