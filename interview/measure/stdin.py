"""Lines on stdin: the spec first, then orders as they come; its end means stop."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress

LONGEST_ORDER_BYTES = 4096
"""What has no end after so many is no order."""


class Stdin:
    """Reads the descriptor; what is read beyond a line is kept for the next."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begun = b""

    def first_line(self, limit_bytes: int) -> bytes:
        """Waits for it. Its beginning, when it is longer or never ends."""
        line = bytearray()
        while b"\n" not in line and len(line) <= limit_bytes:
            read = os.read(self._descriptor, 64 * 1024)
            if not read:
                break
            line += read
        first, _, self._begun = bytes(line).partition(b"\n")
        return first

    def follow(
        self, on_line: Callable[[bytes], None], at_end: Callable[[], None]
    ) -> None:
        """Calls both from a thread of its own: one for each line, one at the end."""

        def read() -> None:
            # A file or a terminal cannot be watched by every loop; a thread can wait.
            with suppress(OSError):
                self._lines(on_line)
            at_end()

        threading.Thread(target=read, name="stdin", daemon=True).start()

    def _lines(self, on_line: Callable[[bytes], None]) -> None:
        while True:
            *lines, rest = self._begun.split(b"\n")
            for line in lines:
                on_line(line)
            read = os.read(self._descriptor, 4096)
            if not read:
                return
            self._begun = rest[-LONGEST_ORDER_BYTES:] + read
