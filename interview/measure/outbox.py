"""Lines towards a reader that may be slow: queued here, written by a thread.

The measuring loop never waits for the reader; knows nothing of what the lines say.
"""

import threading
from collections import deque
from collections.abc import Callable

LIMIT_BYTES = 64 * 2**20
PORTION_BYTES = 64 * 1024
PAUSE_S = 0.01
"""Lines are gathered this long, so that a token does not cost a thread switch."""


class Outbox:
    """Gives up once, when LIMIT_BYTES wait or the reader is gone: calls `on_failure`,
    from any thread, and drops what is put from then on."""

    def __init__(
        self,
        write: Callable[[memoryview], int],
        on_failure: Callable[[], None],
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        self.full = False
        self.broken: OSError | None = None
        """The reader is gone."""
        self._write = write
        self._on_failure = on_failure
        self._limit_bytes = limit_bytes
        self._lines: deque[bytes] = deque()
        self._queued_bytes = 0
        self._lock = threading.Lock()
        self._filled = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        """Queues one line; returns at once."""
        with self._lock:
            if self.full or self.broken is not None:
                return
            self._lines.append(line)
            self._queued_bytes += len(line)
            self.full = self._queued_bytes > self._limit_bytes
            if self.full:
                self._lines.clear()
        self._filled.set()
        if self.full:
            self._on_failure()

    def close(self, last_line: bytes | None = None, wait_s: float = 5.0) -> bool:
        """Writes what is queued and then the last line, which may be large.

        False when the reader took nothing for `wait_s`.
        """
        with self._lock:
            if last_line is not None:
                self._lines.append(last_line)
                self._queued_bytes += len(last_line)
        self._closed.set()
        self._filled.set()
        while True:
            before_bytes = self._queued_bytes
            self._thread.join(wait_s)
            if not self._thread.is_alive():
                return True
            if self._queued_bytes >= before_bytes:
                return False

    def _run(self) -> None:
        while True:
            self._filled.wait()
            self._closed.wait(PAUSE_S)
            self._filled.clear()
            # Only now: a close() before the clear would else be forgotten.
            closed = self._closed.is_set()
            with self._lock:
                batch = b"".join(self._lines)
                self._lines.clear()
            try:
                self._write_all(batch)
            except OSError as gone:
                self.broken = gone
                self._on_failure()
                return
            if closed and not self._lines:
                return

    def _write_all(self, batch: bytes) -> None:
        view = memoryview(batch)
        while view:
            written = self._write(view[:PORTION_BYTES])
            view = view[written:]
            with self._lock:
                self._queued_bytes -= written
