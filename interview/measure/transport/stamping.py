"""The transport under httpx: a connection, one request, its answer; no retries."""

import ssl
import time
from collections.abc import Callable

import httpx

from interview.measure.transport.connection import Connection
from interview.measure.transport.dial import dial
from interview.measure.transport.exchange import Exchange
from interview.measure.transport.origin import Origin
from interview.measure.transport.pool import Pool
from interview.measure.transport.stamps import Stamps
from interview.measure.transport.wire import request_bytes


class StampingTransport(httpx.AsyncBaseTransport):
    """HTTP/1.1 with times per read, spoken to through `request.extensions`.

    `stamps`: an empty Stamps to be filled.
    `sink` (optional): called with (stamp_ns, body bytes) once per read that has body,
    inside data_received, possibly before the response is returned. The response then
    yields nothing; iterating it waits for the end and raises what cut the body.
    `timeout`: httpx's dict in seconds. `connect` bounds lookup, TCP and TLS together,
    `read` and `write` the time without progress; no pool limit, so nothing for `pool`.

    A kept connection is replaced only when found closed before anything was written.
    The ssl_context is told to offer http/1.1 alone.
    """

    def __init__(
        self,
        *,
        ssl_context: ssl.SSLContext | None = None,
        keepalive_expiry: float = 4.0,
        clock: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self._pool = Pool(keepalive_expiry)
        self._clock = clock
        self._ssl_context = ssl_context
        if ssl_context is not None:
            ssl_context.set_alpn_protocols(["http/1.1"])

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            wire = request_bytes(request, await request.aread())
            connection = await self._connected(request)
        except httpx.RequestError as error:
            error.request = request
            raise
        exchange = Exchange(connection, request, self._pool.put_back)
        exchange.send(wire)
        try:
            await exchange.head()
        except BaseException:
            await exchange.aclose()
            raise
        answer = exchange.answer
        return httpx.Response(
            answer.status,
            headers=answer.headers,
            stream=exchange,
            extensions={
                "http_version": answer.http_version,
                "reason_phrase": answer.reason,
            },
        )

    async def aclose(self) -> None:
        """Closes every connection, those with an answer under way too."""
        await self._pool.close()

    async def _connected(self, request: httpx.Request) -> Connection:
        """An open connection with nothing on it. No await may come before the write."""
        origin = Origin.of(request.url)
        kept = self._pool.take(origin)
        if kept is not None:
            return kept
        tls = self._tls() if origin.is_tls else None
        started_ns = self._clock()
        timeout = request.extensions.get("timeout", {}).get("connect")
        connection = await dial(
            origin, tls, timeout, lambda: Connection(self._clock, self._pool.remove)
        )
        request.extensions.setdefault("stamps", Stamps()).connect_ns = (
            self._clock() - started_ns
        )
        self._pool.add(connection, origin)
        if not connection.is_open():
            raise httpx.ConnectError(
                f"{origin} took the connection and closed it, or spoke unasked."
            )
        return connection

    def _tls(self) -> ssl.SSLContext:
        """Made on first use: reading the certificates takes some 25 ms."""
        if self._ssl_context is None:
            self._ssl_context = httpx.create_ssl_context()
            self._ssl_context.set_alpn_protocols(["http/1.1"])
        return self._ssl_context
