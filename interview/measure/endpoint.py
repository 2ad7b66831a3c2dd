"""What an endpoint says of itself: engine, models, token counts. Measures nothing."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import httpx

from interview.measure.client import CONNECT_TIMEOUT_S
from interview.measure.counters import Counters, counters
from interview.measure.errors import EndpointError
from interview.measure.refusal import connection_words
from interview.measure.target import Target


@dataclass(frozen=True, slots=True)
class Endpoint:
    """From /version, /v1/models and /metrics; None and empty where it does not tell."""

    engine: str | None = None
    models: tuple[str, ...] = ()
    has_counters: bool = False
    """It has vLLM's /metrics."""


async def look(http: httpx.AsyncClient, target: Target) -> Endpoint:
    """Raises EndpointError when no connection can be made; other troubles are None."""
    models = await _json(http, "GET", target, "/v1/models")
    version = await _json(http, "GET", target, "/version")
    entries = models.get("data") if isinstance(models.get("data"), list) else []
    entries = [entry for entry in entries or [] if isinstance(entry, dict)]
    ids = tuple(entry["id"] for entry in entries if isinstance(entry.get("id"), str))
    model = target.model or next(iter(ids), "")
    owners = [
        entry["owned_by"]
        for entry in entries
        if entry.get("id") == model and isinstance(entry.get("owned_by"), str)
    ]
    named = [*owners[:1], *([version["version"]] if _is_text(version) else [])]
    has_counters = await read_counters(http, target) is not None
    return Endpoint(" ".join(named) or None, ids, has_counters)


def with_model(target: Target, endpoint: Endpoint) -> Target:
    """The target with the first model that is served, when it names none.

    Raises EndpointError when the endpoint does not list any.
    """
    if target.model:
        return target
    if not endpoint.models:
        raise EndpointError(
            f"{target.root} lists no models at /v1/models: name yours with --model."
        )
    return replace(target, model=endpoint.models[0])


async def token_count(http: httpx.AsyncClient, target: Target, text: str) -> int | None:
    """Tokens of the prompt by the server's own /tokenize, its chat template inside."""
    asked: dict[str, Any] = {"model": target.model}
    if target.api == "chat":
        asked["messages"] = [{"role": "user", "content": text}]
    else:
        asked["prompt"] = text
    count = (await _json(http, "POST", target, "/tokenize", asked)).get("count")
    return count if isinstance(count, int) and not isinstance(count, bool) else None


async def read_counters(http: httpx.AsyncClient, target: Target) -> Counters | None:
    """One reading of /metrics; None where there is none or it is not vLLM's."""
    headers = dict(target.headers) | {"Accept": "text/plain"}
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            page = await http.get(target.root + "/metrics", headers=headers)
    except (httpx.HTTPError, TimeoutError):
        return None
    return counters(page.content) if page.status_code == 200 else None


async def _json(
    http: httpx.AsyncClient,
    method: str,
    target: Target,
    path: str,
    content: dict[str, Any] | None = None,
) -> dict[str, Any]:
    headers = dict(target.headers) | {"Accept": "application/json"}
    try:
        async with asyncio.timeout(2 * CONNECT_TIMEOUT_S):
            answer = await http.request(
                method, target.root + path, json=content, headers=headers
            )
            payload = answer.json() if answer.status_code == 200 else {}
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise EndpointError(connection_words(error, target.root)) from error
    except (httpx.HTTPError, TimeoutError, ValueError):
        return {}
    return payload if isinstance(payload, dict) else {}


def _is_text(version: dict[str, Any]) -> bool:
    return isinstance(version.get("version"), str)
