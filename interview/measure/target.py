"""Where and how to ask: the endpoint's URLs, headers and request bodies. No network."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from interview.measure.errors import UsageError

Api = Literal["chat", "completions"]

_PATHS: dict[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}


@dataclass(frozen=True, slots=True)
class Target:
    """One model behind one OpenAI-compatible endpoint."""

    root: str
    """The URL before /v1, where /version, /tokenize and /metrics lie."""
    model: str
    """"" until the endpoint has said what it serves."""
    api: Api = "chat"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with each request; holds the key."""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """Merged into each request's body, last."""

    @property
    def completions_url(self) -> str:
        return self.root + "/v1" + _PATHS[self.api]

    def without_key(self, text: str | None) -> str | None:
        """The text with the key blotted out, should a server have quoted it."""
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return text.replace(key, "[key]") if text and key else text


def target(
    url: str,
    model: str,
    *,
    api: str = "chat",
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    extra_body: Mapping[str, Any] | None = None,
) -> Target:
    """Checks all parts; raises UsageError."""
    if api not in ("chat", "completions"):
        raise UsageError(f"The API is chat or completions, not {api!r}.")
    all_headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
    if api_key:
        all_headers["Authorization"] = f"Bearer {api_key}"
    all_headers |= headers or {}
    for name, value in all_headers.items():
        _check_header(name, value)
    return Target(
        root=root_of(url),
        model=model,
        api=api,  # type: ignore[arg-type]  # one of the two, checked above
        headers=all_headers,
        extra_body=dict(extra_body or {}),
    )


def root_of(url: str) -> str:
    """The part before /v1 of a base URL with or without it, or of a whole endpoint.

    >>> root_of("http://127.0.0.1:8000/v1/")
    'http://127.0.0.1:8000'
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as wrong:
        raise UsageError(f"{url!r} is no URL: {wrong}.") from wrong
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise UsageError(
            f"{url!r} is no HTTP address; give one like http://127.0.0.1:8000/v1."
        )
    if parts.query or parts.fragment:
        raise UsageError(f"{url!r} must end with its path, without ? and #.")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "Give the key apart (LAB_API_KEY, or --key-env NAME), not inside the URL."
        )
    path = parts.path.rstrip("/")
    for ending in ("/chat/completions", "/completions"):
        path = path.removesuffix(ending)
    path = path.removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


@dataclass(frozen=True, slots=True)
class Ask:
    """What one request asks for."""

    prompt: str
    max_tokens: int
    ignore_eos: bool
    seed: int


UsageLevel = Literal["continuous", "final", "none"]
"""Which token counts the server is asked to stream."""


def body(target: Target, ask: Ask, usage: UsageLevel) -> dict[str, Any]:
    """The JSON body of a streaming request, greedy and of a fixed length if asked."""
    fields: dict[str, Any] = {"model": target.model}
    if target.api == "chat":
        fields["messages"] = [{"role": "user", "content": ask.prompt}]
    else:
        fields["prompt"] = ask.prompt
    fields |= {
        "max_tokens": ask.max_tokens,
        "temperature": 0,
        "seed": ask.seed,
        "stream": True,
    }
    if usage != "none":
        fields["stream_options"] = {"include_usage": True}
    if usage == "continuous":
        fields["stream_options"]["continuous_usage_stats"] = True
    if ask.ignore_eos:
        fields["ignore_eos"] = True
    return fields | dict(target.extra_body)


def _check_header(name: str, value: str) -> None:
    if not name or not name.isascii() or any(c in name for c in " :\r\n\0\t"):
        raise UsageError(f"{name!r} is no header name; write --header 'Name: value'.")
    if any(c in value for c in "\r\n\0") or not value.isascii():
        raise UsageError(
            f"The value of the header {name} holds a character that no header may."
        )
