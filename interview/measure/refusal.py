"""Words for answers that are no token stream, and for connections that fail.

Takes what was read, gives one safe sentence; no body can raise here.
"""

import json
import re
from collections.abc import Mapping

import httpx

from interview.measure.chunks import error_of, first_words

_PLACE = re.compile(r"^Cannot connect to \S+: ")
_TAGS = re.compile(r"(?is)<(script|style|head)\b.*?</\1\s*>|<[^>]*>")


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """Why there was no stream: status, first words, Retry-After, redirect target."""
    if 300 <= status < 400:
        where = first_words(headers.get("location", "")) or "nowhere"
        return f"{status} to {where}: redirects are not followed; give that URL."
    reason = f"HTTP {status}"
    text = body_text(body)
    if text:
        reason += f": {text}"
    retry_after = headers.get("retry-after")
    if retry_after:
        reason += f" (Retry-After: {first_words(retry_after, 40)})"
    return reason


def body_text(body: bytes) -> str:
    """The message of a JSON error, else the first words of the text; may be empty."""
    text = body.decode("utf-8", "replace")
    try:
        payload = json.loads(text)
    except ValueError:
        return first_words(_TAGS.sub(" ", text), 200)
    if isinstance(payload, dict):
        return error_of(payload) or first_words(text, 200)
    return first_words(text, 200)


def error_in(body: bytes) -> str:
    """The error of a JSON document as the end of a sentence; empty without one."""
    try:
        payload = json.loads(body.decode("utf-8", "replace"))
    except ValueError:
        return ""
    error = error_of(payload) if isinstance(payload, dict) else None
    return f" Its error: {error}" if error else ""


def no_stream(headers: Mapping[str, str]) -> str | None:
    """What is wrong with the head of a 200; None when a stream follows."""
    coding = headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        return (
            f"The answer is compressed ({first_words(coding, 40)}) though identity was"
            " asked for: compression holds tokens back, so nothing was measured."
        )
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return "The server did not stream: it answered with one JSON document."
    if kind == "text/html":
        return "The server did not stream: it answered with an HTML page."
    return None


def connection_words(error: Exception, where: str) -> str:
    """What broke, with the place; for every error of the transport."""
    cause = first_words(str(error), 200) or type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return f"Could not connect to {where}: {_PLACE.sub('', cause)}"
    if isinstance(error, httpx.ReadTimeout):
        return f"{where} went silent: {cause}"
    return f"The connection to {where} broke: {cause}"
