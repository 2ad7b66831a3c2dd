"""One JSON payload of the stream to what it carries, for chat and completions.

Knows the fields of OpenAI's and vLLM's chunks; decides nothing about tokens.
"""

import json
from dataclasses import dataclass
from typing import Any

from interview.measure.errors import StreamError
from interview.measure.usage import Usage, count, usage_of

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """What one entry of `choices` adds."""

    index: int
    content: str
    """Answer text, refusal, and the names and arguments of tool calls."""
    reasoning: str
    has_output: bool
    """Some field that only a token can fill is not empty."""
    token_ids: int | None
    logprobs: int | None
    finish_reason: str | None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One event of the stream."""

    choices: tuple[Choice, ...]
    usage: Usage | None
    error: str | None
    server: dict[str, float] | None
    """The server's own timing (`metrics`), never mixed with ours."""


def chunk_of(data: str) -> Chunk:
    """Raises StreamError when the data is no JSON object."""
    try:
        payload = json.loads(data)
    except ValueError as broken:
        raise StreamError(
            f"The server sent an event that is no JSON: {first_words(data)}"
        ) from broken
    if not isinstance(payload, dict):
        raise StreamError(
            f"The server sent an event that is no JSON object: {first_words(data)}"
        )
    choices = payload.get("choices")
    return Chunk(
        choices=tuple(
            _choice(choice)
            for choice in (choices if isinstance(choices, list) else ())
            if isinstance(choice, dict)
        ),
        usage=usage_of(payload.get("usage")),
        error=error_of(payload),
        server=_numbers(payload.get("metrics")),
    )


def error_of(payload: Json) -> str | None:
    """The message of an error object, in the forms servers use.

    `{"error": {"message": …}}`, `{"error": "Unauthorized"}`, `{"object": "error",
    "message": …}`, `{"detail": …}` with no choices.
    """
    error = payload.get("error")
    if error is None and payload.get("object") == "error":
        error = payload
    if error is None and "choices" not in payload:
        error = payload.get("detail")
    if error is None:
        return None
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return first_words(error["message"]) or "error without a message"
    text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    return first_words(text) or "error without a message"


def first_words(text: str, limit: int = 300) -> str:
    """Text on one line, cut at `limit` characters, without control characters."""
    line = " ".join(text[: 4 * limit].split())
    line = "".join(c for c in line if c.isprintable())
    return line if len(line) <= limit else line[:limit].rstrip() + " …"


def _choice(choice: Json) -> Choice:
    delta = _object(choice.get("delta"))
    # The two reasoning keys are one text under an older and a newer name.
    reasoning = _text(delta.get("reasoning")) or _text(delta.get("reasoning_content"))
    tools = delta.get("tool_calls") or []
    call = delta.get("function_call") or {}
    content = (
        _text(delta.get("content"))
        + _text(choice.get("text"))
        + _text(delta.get("refusal"))
        + "".join(_call_text(_object(tool).get("function")) for tool in _list(tools))
        + _call_text(call)
    )
    finish = choice.get("finish_reason")
    return Choice(
        index=count(choice.get("index")) or 0,
        content=content,
        reasoning=reasoning,
        has_output=bool(content or reasoning or tools or call),
        token_ids=_length(choice.get("token_ids")),
        logprobs=_logprobs(choice.get("logprobs")),
        finish_reason=finish if isinstance(finish, str) and finish else None,
    )


def _call_text(function: object) -> str:
    call = _object(function)
    return _text(call.get("name")) + _text(call.get("arguments"))


def _logprobs(logprobs: object) -> int | None:
    entries = _object(logprobs)
    length = _length(entries.get("content"))
    return length if length is not None else _length(entries.get("tokens"))


def _numbers(metrics: object) -> dict[str, float] | None:
    numbers = {
        name: value
        for name, value in _object(metrics).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return numbers or None


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _length(value: object) -> int | None:
    return len(value) if isinstance(value, list) else None
