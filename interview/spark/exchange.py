"""One HTTP request and its answer over raw ASGI; knows no route and no engine."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from .errors import ApiError, Malformed
from .fields import Body
from .wire import encode_json

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Header = tuple[bytes, bytes]

JSON = b"application/json"
EVENT_STREAM = b"text/event-stream; charset=utf-8"


class Exchange:
    """What a handler may do with its request."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, badge: bytes
    ) -> None:
        self.path: str = scope["path"]
        self.method: str = scope["method"]
        self.headers = dict[bytes, bytes](scope["headers"])
        self._receive = receive
        self._send = send
        self._badge = badge

    async def json(self) -> Body:
        """The body as a JSON object; raises Malformed."""
        kind = self.headers.get(b"content-type", b"").split(b";")[0].strip().lower()
        if kind != JSON:
            raise Malformed(
                "1 validation error:\n  Unsupported Media Type: "
                "Only 'application/json' is allowed"
            )
        try:
            body = json.loads(await self._body())
        except (ValueError, RecursionError) as error:
            raise Malformed(
                "1 validation error:\n  {'type': 'json_invalid', 'loc': 'body', "
                f"'msg': 'JSON decode error', 'ctx': {{'error': '{error}'}}}}",
                "body",
            ) from error
        if not isinstance(body, dict):
            raise Malformed(
                "1 validation error:\n  {'loc': 'body', 'msg': 'Input should be a "
                "valid dictionary'}",
                "body",
            )
        return body

    async def _body(self) -> bytes:
        parts = []
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ConnectionAbortedError
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                return b"".join(parts)

    async def gone(self) -> None:
        """Returns when the client has closed the connection."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def reply(
        self,
        status: int,
        body: bytes = b"",
        kind: bytes | None = None,
        headers: Iterable[Header] = (),
    ) -> None:
        length = (b"content-length", str(len(body)).encode())
        await self._start(status, kind, (length, *headers))
        await self._send({"type": "http.response.body", "body": body})

    async def reply_json(
        self, status: int, payload: object, headers: Iterable[Header] = ()
    ) -> None:
        await self.reply(status, encode_json(payload), JSON, headers)

    async def refuse(self, error: ApiError) -> None:
        await self.reply_json(error.status, error.body())

    async def open_stream(self) -> None:
        """Status and headers leave before the first token, as in vLLM."""
        await self._start(200, EVENT_STREAM, ())

    async def write(self, data: bytes, *, last: bool = False) -> None:
        await self._send(
            {"type": "http.response.body", "body": data, "more_body": not last}
        )

    async def _start(
        self, status: int, kind: bytes | None, headers: Iterable[Header]
    ) -> None:
        described = [(b"content-type", kind)] if kind else []
        await self._send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [
                    *headers,
                    *described,
                    (b"x-prefill-simulated", self._badge),
                ],
            }
        )


async def cancel(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it is over."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
