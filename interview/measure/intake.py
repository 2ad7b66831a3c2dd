"""The sink of one answer: keeps reads until its head is judged, then decodes them.

Runs inside the transport's read, so it never waits; what was held keeps its stamps.
"""

from collections.abc import Callable

from interview.measure.decoder import Decoder, Piece

REFUSAL_LIMIT_BYTES = 64 * 1024


class Intake:
    """`open()` when the answer is a stream, `refuse()` when it is none."""

    def __init__(
        self, on_piece: Callable[[Piece], None], on_ended: Callable[[], None]
    ) -> None:
        self.decoder = Decoder()
        self._on_piece = on_piece
        self._on_ended = on_ended
        self._held: list[tuple[int, bytes]] = []
        self._take = self._hold

    def __call__(self, stamp_ns: int, read: bytes) -> None:
        self._take(stamp_ns, read)

    def open(self) -> None:
        """Decodes what was held and all that follows."""
        self._take = self._decode
        held, self._held = self._held, []
        for stamp_ns, read in held:
            self._decode(stamp_ns, read)

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

    def _decode(self, stamp_ns: int, read: bytes) -> None:
        for piece in self.decoder.feed(stamp_ns, read):
            self._on_piece(piece)
        if self.decoder.ended:
            self._on_ended()
