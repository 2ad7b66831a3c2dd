"""One request and its answer on one connection; ends exactly once."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx

from interview.measure.transport.answer import Answer
from interview.measure.transport.connection import Connection
from interview.measure.transport.silence import Silence
from interview.measure.transport.stamps import Stamps

Sink = Callable[[int, bytes], None]
HIGH_WATER_BYTES = 64 * 1024


class Exchange(httpx.AsyncByteStream):
    """Also the stream of the httpx response.

    Without a sink the body waits here; reading pauses above HIGH_WATER_BYTES.
    """

    def __init__(
        self,
        connection: Connection,
        request: httpx.Request,
        on_reusable: Callable[[Connection], None],
    ) -> None:
        self.answer = Answer(request.method)
        self._connection = connection
        self._request = request
        self._on_reusable = on_reusable
        self._stamps: Stamps = request.extensions.get("stamps") or Stamps()
        self._sink: Sink | None = request.extensions.get("sink")
        timeout: dict[str, float | None] = request.extensions.get("timeout", {})
        self._reading = Silence(timeout.get("read"), self._read_timed_out)
        self._writing = Silence(timeout.get("write"), self._write_timed_out)
        self._unsent_bytes = 0
        self._last_read_ns: int | None = None
        self._over = False
        self._failure: Exception | None = None
        self._body = bytearray()
        self._paused = False
        self._waiter: asyncio.Future[None] | None = None

    def send(self, wire: bytes) -> None:
        self._stamps.sent_ns = self._connection.carry(self, wire)
        if self._connection.writing:
            self._unsent_bytes = self._connection.unsent_bytes()
            self._writing.start()
        else:
            self._reading.start()

    async def head(self) -> None:
        """Returns once the answer's head is there; raises httpx.TransportError."""
        while not self.answer.has_head:
            if self._failure is not None:
                raise self._failure
            await self._change()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yields what has come since the last time; then raises what cut the body."""
        try:
            while self._body or not self._over:
                if self._body:
                    yield self._take_waiting()
                else:
                    await self._change()
            if self._failure is not None:
                raise self._failure
        finally:
            self._cut()

    async def aclose(self) -> None:
        """An answer that is not complete takes its TCP connection with it, at once."""
        self._cut()
        if self._failure is not None:
            await asyncio.shield(self._connection.closed)

    # Called by the connection.

    def received(self, stamp_ns: int, data: bytes) -> None:
        answer = self.answer
        had_head = answer.has_head
        self._last_read_ns = stamp_ns
        self._reading.broken()
        failure: Exception | None = None
        try:
            answer.feed(data)
        except httpx.RemoteProtocolError as error:
            failure = error
        if answer.has_head and not had_head:
            self._stamps.headers_ns = stamp_ns
            self._wake()
        if body := answer.take_body():
            failure = self._hand_on(stamp_ns, body) or failure
        if failure is not None:
            self._fail(failure)
        elif answer.complete:
            self._end()

    def written(self) -> None:
        self._writing.stop()
        self._reading.start()

    def lost(self, cause: Exception | None) -> None:
        if cause is None:
            try:
                self.answer.finish()
            except httpx.RemoteProtocolError as error:
                self._fail(error)
            else:
                self._end()
        elif self._connection.writing:
            self._fail(
                httpx.WriteError(
                    f"The connection broke while sending: {_reason(cause)}."
                )
            )
        else:
            self._fail(
                httpx.ReadError(
                    f"The connection broke before the answer's end: {_reason(cause)}."
                )
            )

    def _hand_on(self, stamp_ns: int, body: bytes) -> Exception | None:
        if self._sink is None:
            self._keep_waiting(body)
            return None
        try:
            self._sink(stamp_ns, body)
        except Exception as error:
            return error  # raised here it would reach the event loop, not the reader
        return None

    def _keep_waiting(self, body: bytes) -> None:
        self._body += body
        if len(self._body) > HIGH_WATER_BYTES and not self._paused:
            self._paused = True
            self._connection.pause_reading()
        self._wake()

    def _take_waiting(self) -> bytes:
        piece = bytes(self._body)
        self._body.clear()
        self._resume()
        return piece

    def _resume(self) -> None:
        if self._paused:
            self._paused = False
            self._reading.broken()
            self._connection.resume_reading()

    def _end(self) -> None:
        self._stop()
        self._resume()
        if self.answer.reusable and not self._connection.writing:
            self._on_reusable(self._connection)
        else:
            self._connection.abort()

    def _cut(self) -> None:
        if not self._over:
            self._fail(httpx.ReadError("The response was closed before its end."))

    def _fail(self, failure: Exception) -> None:
        if isinstance(failure, httpx.RequestError):
            failure.request = self._request
        self._failure = failure
        self._stop()
        self._connection.abort()

    def _stop(self) -> None:
        self._over = True
        self._stamps.last_read_ns = self._last_read_ns
        self._reading.stop()
        self._writing.stop()
        self._connection.put_down()
        self._wake()

    def _read_timed_out(self) -> None:
        if self._paused:  # our taker is slow, not the server
            self._reading.start()
        else:
            self._fail(
                httpx.ReadTimeout(f"Nothing came from the server for {self._reading}.")
            )

    def _write_timed_out(self) -> None:
        unsent_bytes = self._connection.unsent_bytes()
        if unsent_bytes < self._unsent_bytes:
            self._unsent_bytes = unsent_bytes
            self._writing.start()
        else:
            self._fail(
                httpx.WriteTimeout(
                    f"The server took no byte of the request for {self._writing}."
                )
            )

    async def _change(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _reason(cause: Exception) -> str:
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
