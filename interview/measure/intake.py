"""The sink of one answer: keeps reads until its head is judged, then decodes them.

Runs inside the transport's read, so it never waits. Decoding is put off: the streams of
one engine step come together, and decoding the first before reading the last would make
the last one's stamp late.
"""

import asyncio
from collections.abc import Callable

from interview.measure.decoder import Decoder, Piece

REFUSAL_LIMIT_BYTES = 64 * 1024
PAUSE_S = 0.005
"""Decoding waits this long: reads of many streams cost less decoded in a row."""
IN_A_ROW = 12
"""Streams; then reads that came meanwhile are stamped, 0.1 ms late at most."""


class Backlog:
    """What all streams of a loop have put off, done together."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []

    def add(self, work: Callable[[], None]) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_later(PAUSE_S, self._work)
        self._waiting.append(work)

    def _work(self) -> None:
        now, self._waiting = self._waiting[:IN_A_ROW], self._waiting[IN_A_ROW:]
        for work in now:
            work()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._work)


class Intake:
    """`open()` when the answer is a stream, `refuse()` when it is none.

    `close()` at the end decodes what is still put off.
    """

    def __init__(
        self,
        backlog: Backlog,
        on_piece: Callable[[Piece], None],
        on_ended: Callable[[], None],
    ) -> None:
        self.decoder = Decoder()
        self._backlog = backlog
        self._on_piece = on_piece
        self._on_ended = on_ended
        self._held: list[tuple[int, bytes]] = []
        self._take = self._hold

    def __call__(self, stamp_ns: int, read: bytes) -> None:
        self._take(stamp_ns, read)

    def open(self) -> None:
        """Decodes what was held and all that follows."""
        self._take = self._put_off
        self._decode()

    def close(self) -> None:
        if self._take == self._put_off:
            self._decode()

    def refuse(self) -> None:
        """Keeps no more than the first REFUSAL_LIMIT_BYTES."""
        self._take = self._keep_start

    @property
    def refused(self) -> bytes:
        """The start of a body that is no stream."""
        return b"".join(read for _, read in self._held)[:REFUSAL_LIMIT_BYTES]

    def _hold(self, stamp_ns: int, read: bytes) -> None:
        self._held.append((stamp_ns, read))

    def _keep_start(self, stamp_ns: int, read: bytes) -> None:
        if sum(len(kept) for _, kept in self._held) < REFUSAL_LIMIT_BYTES:
            self._held.append((stamp_ns, read))

    def _put_off(self, stamp_ns: int, read: bytes) -> None:
        if not self._held:
            self._backlog.add(self._decode)
        self._held.append((stamp_ns, read))

    def _decode(self) -> None:
        held, self._held = self._held, []
        for stamp_ns, read in held:
            for piece in self.decoder.feed(stamp_ns, read):
                self._on_piece(piece)
        if self.decoder.ended:
            self._on_ended()
