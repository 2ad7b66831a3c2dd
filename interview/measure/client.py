"""The one HTTP client of a measurement: no proxy, no redirect, no retry, HTTP/1.1."""

import ssl
from collections.abc import Callable
from typing import Any

import httpx

from interview.measure.transport import StampingTransport

CONNECT_TIMEOUT_S = 10.0
WRITE_TIMEOUT_S = 30.0

Clock = Callable[[], int]
"""Nanoseconds of one monotonic clock, the same for sending and reading."""


class Client(httpx.AsyncClient):
    """Sends questions as httpx does, and measured requests past it."""

    def __init__(self, transport: StampingTransport, **options: Any) -> None:
        super().__init__(transport=transport, **options)
        self._stamping = transport

    async def ask(self, request: httpx.Request) -> httpx.Response:
        """As `send` with stream=True; but redirects, cookies and authentication, none
        of which we want, would take as long for each request as the request."""
        return await self._stamping.handle_async_request(request)


def client(clock: Clock, read_timeout_s: float) -> Client:
    """The transport stamps with `clock`; `read_timeout_s` of silence is an error."""
    return Client(
        StampingTransport(ssl_context=ssl.create_default_context(), clock=clock),
        trust_env=False,
        follow_redirects=False,
        headers={"User-Agent": "prefill-measure/1", "Accept-Encoding": "identity"},
        timeout=httpx.Timeout(
            connect=CONNECT_TIMEOUT_S,
            read=read_timeout_s,
            write=WRITE_TIMEOUT_S,
            pool=None,
        ),
    )
