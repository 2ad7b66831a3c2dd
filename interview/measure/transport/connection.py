"""One TCP or TLS connection that carries one exchange at a time.

Stamps each read before anything looks at it; knows nothing of HTTP.
"""

import asyncio
import select
from collections.abc import Callable
from typing import Protocol, cast

PIECE_BYTES = 64 * 1024


class Carried(Protocol):
    """What a connection calls while it carries an exchange."""

    def received(self, stamp_ns: int, data: bytes) -> None: ...
    def written(self) -> None: ...
    def lost(self, cause: Exception | None) -> None: ...


class Connection(asyncio.Protocol):
    """`on_lost` is called once, when the connection has ended for whatever reason."""

    def __init__(
        self, clock: Callable[[], int], on_lost: Callable[["Connection"], None]
    ) -> None:
        self.writing = False
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._clock = clock
        self._on_lost = on_lost
        self._exchange: Carried | None = None
        self._transport: asyncio.Transport
        self._unwritten = memoryview(b"")

    def carry(self, exchange: Carried, wire: bytes) -> int:
        """Writes the request; returns the stamp taken as its first byte goes (t0)."""
        self._exchange = exchange
        sent_ns = self._clock()
        self._unwritten = memoryview(wire)
        self._write()
        return sent_ns

    def put_down(self) -> None:
        """The exchange is over; from here on a read or the end is no one's."""
        self._exchange = None

    def is_open(self) -> bool:
        return not self._transport.is_closing()

    def is_quiet(self) -> bool:
        """False also for an end or bytes that the event loop has not seen yet."""
        return self.is_open() and not _readable(
            self._transport.get_extra_info("socket").fileno()
        )

    def unsent_bytes(self) -> int:
        """How much of the request is not with the kernel yet."""
        return len(self._unwritten) + self._transport.get_write_buffer_size()

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        if self.is_open():
            self._transport.resume_reading()

    def abort(self) -> None:
        """Closes at once; a serving engine then drops the request."""
        self._transport.abort()

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        # So pause_writing means "not all is with the kernel", resume_writing "it is".
        self._transport.set_write_buffer_limits(high=1, low=0)

    def data_received(self, data: bytes) -> None:
        stamp_ns = self._clock()
        if self._exchange is None:
            self.abort()  # nothing was asked: the next answer could not be told from it
        else:
            self._exchange.received(stamp_ns, data)

    def eof_received(self) -> None:
        if self._exchange is not None:
            self._exchange.lost(None)
        # A plain close would first wait for a peer that may never read the rest.
        self.abort()

    def connection_lost(self, cause: Exception | None) -> None:
        if self._exchange is not None:
            self._exchange.lost(cause)
        self._on_lost(self)
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        self.writing = True

    def resume_writing(self) -> None:
        self.writing = False
        self._write()
        if self._exchange is not None and not self.writing:
            self._exchange.written()

    def _write(self) -> None:
        """In pieces: a TLS transport takes a large body whole and calls it written."""
        while self._unwritten and not self.writing and self.is_open():
            piece, self._unwritten = (
                self._unwritten[:PIECE_BYTES],
                self._unwritten[PIECE_BYTES:],
            )
            self._transport.write(piece)


def _readable(fileno: int) -> bool:
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(fileno, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([fileno], [], [], 0)[0])  # Windows
