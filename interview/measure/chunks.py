"""One JSON payload of the stream to what it carries, for chat and completions.

Knows the fields of OpenAI's and vLLM's chunks; decides nothing about tokens.
"""

import json
from dataclasses import dataclass
from typing import Any

from interview.measure.errors import StreamError
from interview.measure.usage import Usage, count, usage_of

Json = dict[str, Any]

_parse = json.JSONDecoder().raw_decode
"""json.loads without its search for blanks around the text, a quarter of its time."""


# Not frozen: one is made per token, and freezing makes that five times slower.
@dataclass(slots=True)
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


@dataclass(slots=True)
class Chunk:
    """One event of the stream."""

    choices: list[Choice]
    usage: Usage | None
    error: str | None
    server: dict[str, float] | None
    """The server's own timing (`metrics`), never mixed with ours."""


def chunk_of(data: str) -> Chunk:
    """`data` has no blanks around it. Raises StreamError when it is no JSON object."""
    try:
        payload, end = _parse(data)
        if end < len(data):
            raise ValueError(f"More than one value: the first ends at {end}.")
    except (ValueError, RecursionError) as broken:
        raise StreamError(
            f"The server sent an event that is no JSON: {first_words(data)}"
        ) from broken
    if not isinstance(payload, dict):
        raise StreamError(
            f"The server sent an event that is no JSON object: {first_words(data)}"
        )
    choices = [
        _choice(choice)
        for choice in _list(payload.get("choices"))
        if isinstance(choice, dict)
    ]
    usage = usage_of(payload.get("usage"))
    server = _numbers(payload["metrics"]) if "metrics" in payload else None
    return Chunk(choices, usage, error_of(payload), server)


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
    content = _text(delta.get("content"))
    if "text" in choice:
        content += _text(choice["text"])
    if "refusal" in delta:
        content += _text(delta["refusal"])
    # The two reasoning keys are one text under an older and a newer name.
    reasoning = _text(delta["reasoning"]) if "reasoning" in delta else ""
    if not reasoning and "reasoning_content" in delta:
        reasoning = _text(delta["reasoning_content"])
    if tools := delta.get("tool_calls"):
        functions = (_object(tool).get("function") for tool in _list(tools))
        content += "".join(map(_call_text, functions))
    if call := delta.get("function_call"):
        content += _call_text(call)
    index = count(choice.get("index")) or 0
    has_output = bool(content or reasoning or tools or call)
    token_ids = _length(choice.get("token_ids"))
    logprobs = _logprobs(choice.get("logprobs"))
    finish = _text(choice.get("finish_reason")) or None
    return Choice(index, content, reasoning, has_output, token_ids, logprobs, finish)


def _call_text(function: object) -> str:
    call = _object(function)
    return _text(call.get("name")) + _text(call.get("arguments"))


def _logprobs(logprobs: object) -> int | None:
    if not isinstance(logprobs, dict):
        return None
    length = _length(logprobs.get("content"))
    return length if length is not None else _length(logprobs.get("tokens"))


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
