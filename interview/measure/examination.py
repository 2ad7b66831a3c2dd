"""Whether an endpoint can be measured: one question after the other, and one token.

Its findings are for whoever set it up: what is well, or what is wrong and what to do.
"""

import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import httpx

from interview.measure.client import Client, Clock
from interview.measure.endpoint import read_counters, token_count
from interview.measure.errors import EndpointError
from interview.measure.exchange import Exchange
from interview.measure.refusal import body_text, connection_words
from interview.measure.result import Result
from interview.measure.target import Ask, Target
from interview.measure.turn import Unwatched

FEW_TOKENS = 8
SAY = "Count from one to ten."


@dataclass(frozen=True, slots=True)
class Finding:
    """One line."""

    what: str
    said: str
    todo: str = ""
    """A sentence; "" when all is well."""

    @property
    def is_ok(self) -> bool:
        return not self.todo


async def examine(http: Client, target: Target, clock: Clock) -> AsyncIterator[Finding]:
    """As far as it gets: what does not answer at all is not asked any further."""
    try:
        answer = await _get(http, target, "/v1/models")
    except httpx.HTTPError as error:
        yield _unreachable(error, target)
        return
    models = _models(answer)
    if models is None:
        yield await _no_list(http, target, answer)
        return
    yield Finding("address", f"{target.root} answers")
    yield _model(target, models)
    if not target.model and models:
        target = replace(target, model=models[0])
    yield await _version(http, target)
    if target.model in models:
        ask = Ask(SAY, FEW_TOKENS, ignore_eos=False, seed=1)
        result = await Exchange(http, target, clock, models).send(ask, Unwatched())
        yield _token(result)
        if result.status == "completed":
            yield _usage(result)
        yield await _tokenize(http, target)
    yield await _metrics(http, target)


def _unreachable(error: httpx.HTTPError, target: Target) -> Finding:
    said = connection_words(error, target.root)
    cause = error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        todo = (
            "Name the file of the authority that signed it in SSL_CERT_FILE, or write "
            "LAB_URL with the name that the certificate is for."
        )
        return Finding("TLS", said, todo)
    if isinstance(cause, ssl.SSLError):
        return Finding("TLS", said, "Write LAB_URL with http:// if it has no TLS.")
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        todo = (
            "Start the server, or correct host and port in LAB_URL; `vllm serve` "
            "listens on port 8000 unless --port says otherwise."
        )
        return Finding("address", said, todo)
    todo = "Is it another program's port? Or write LAB_URL with https:// if it has TLS."
    return Finding("address", said, todo)


async def _no_list(http: Client, target: Target, answer: httpx.Response) -> Finding:
    """Why the address answers, and yet without a list of models."""
    status, words = answer.status_code, body_text(answer.content)
    said = f"{status} to {target.root}/v1/models" + (f": {words}" if words else "")
    if 300 <= status < 400:
        where = answer.headers.get("location", "nowhere").partition("/v1/models")[0]
        todo = f"Redirects are not followed: set LAB_URL={where or '…'}"
        return Finding("redirect", said, todo)
    if status in (401, 403):
        has_key = "Authorization" in target.headers
        which = "It refuses LAB_API_KEY" if has_key else "It wants a key"
        todo = f"{which}: set LAB_API_KEY_FILE to a file with that of `vllm serve`."
        return Finding("key", said, todo)
    if other := await _elsewhere(http, target):
        todo = f"The API is at {other}: set LAB_URL={other}"
    else:
        todo = "LAB_URL is the address before /v1 of a server with OpenAI's API."
    return Finding("path", said, todo)


async def _elsewhere(http: Client, target: Target) -> str | None:
    """The address without its path, when the API is there."""
    parts = urlsplit(target.root)
    root = f"{parts.scheme}://{parts.netloc}"
    if not parts.path:
        return None
    try:
        answer = await http.get(f"{root}/v1/models", headers=_headers(target))
    except httpx.HTTPError:
        return None
    return root if _models(answer) is not None else None


def _model(target: Target, models: tuple[str, ...]) -> Finding:
    if target.model in models:
        return Finding("model", target.model)
    if not target.model and models:
        return Finding("model", f"{models[0]}, the first served; LAB_MODEL is not set")
    said = f"{target.model or 'none'}; served here: {', '.join(models) or 'none'}"
    return Finding("model", said, "Set LAB_MODEL to a model that is served.")


async def _version(http: Client, target: Target) -> Finding:
    try:
        answer = await _get(http, target, "/version")
        version = _json(answer).get("version")
    except httpx.HTTPError as error:
        version, answer = None, None
        said = connection_words(error, target.root)
    if isinstance(version, str):
        return Finding("version", version)
    if answer is not None:
        said = f"{answer.status_code} to /version"
    todo = "vLLM tells it there: let the proxy pass it, or the engine stays unnamed."
    return Finding("version", said, todo)


def _token(result: Result) -> Finding:
    if result.status == "completed" and result.ttft_ns is not None:
        count = "1 token" if result.tokens == 1 else f"{result.tokens} tokens"
        said = f"the first of {count} after {result.ttft_ns / 1e6:.0f} ms"
        if "one-piece" not in result.notes:
            return Finding("one token", said)
        todo = "Something on the way collects the stream: switch its buffering off."
        return Finding("one token", f"{said}, all at once", todo)
    said = result.error or "no token"
    return Finding("one token", said, "Without it no run works: see the server's log.")


def _usage(result: Result) -> Finding:
    if result.tokens_from == "usage":
        return Finding("usage", "token counts come with the stream")
    todo = (
        "Tokens are counted by events here, wrong where an event holds several: let "
        "the proxy pass `stream_options` with `continuous_usage_stats`, as vLLM does."
    )
    return Finding("usage", "no running token counts in the stream", todo)


async def _tokenize(http: Client, target: Target) -> Finding:
    try:
        count = await token_count(http, target, SAY)
    except EndpointError:
        count = None
    if count is not None:
        return Finding("/tokenize", f"{count} tokens for a line of text")
    todo = "Prompts get about the length asked for: let the proxy pass /tokenize."
    return Finding("/tokenize", "no answer with a count", todo)


async def _metrics(http: Client, target: Target) -> Finding:
    if await read_counters(http, target) is not None:
        return Finding("/metrics", "vLLM's counters can be read")
    todo = (
        "Queue and prefill cannot be told apart, nor traffic of others: let the proxy "
        "pass /metrics to this machine."
    )
    return Finding("/metrics", "closed, or not vLLM's", todo)


async def _get(http: Client, target: Target, path: str) -> httpx.Response:
    return await http.get(target.root + path, headers=_headers(target))


def _headers(target: Target) -> dict[str, str]:
    return dict(target.headers) | {"Accept": "application/json"}


def _models(answer: httpx.Response) -> tuple[str, ...] | None:
    """The ids that are served; None when this is no list of models."""
    entries = _json(answer).get("data")
    if answer.status_code != 200 or not isinstance(entries, list):
        return None
    ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
    return tuple(name for name in ids if isinstance(name, str))


def _json(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
