"""Bytes of an event stream to events, each with the stamp of the read that ended it.

Follows WHATWG HTML section 9.2.6; knows no JSON, no tokens and reads no clock.
"""

from dataclasses import dataclass

from interview.measure.errors import StreamError

EVENT_LIMIT_BYTES = 16 * 2**20

_BOM = b"\xef\xbb\xbf"


# Not frozen: one is made per token, and freezing makes that five times slower.
@dataclass(slots=True)
class Event:
    """One dispatched event."""

    stamp_ns: int
    """The stamp of the read that held its last byte."""
    data: str
    """Its data lines, joined with LF; may be blank."""
    name: str
    """The `event` field; empty when there was none."""


class Splitter:
    """Cuts reads at LF, CR and CRLF and gives the events that are whole.

    A CR ends its line at once: the LF that may follow is dropped when it comes, so a
    stream with CR alone is not one event late.
    """

    def __init__(self) -> None:
        self.is_between_events = False
        """The next byte starts an event, whatever came before."""
        self._rest = bytearray()
        self._after_cr = False
        self._first_line = True
        self._data: list[str] = []
        self._data_bytes = 0
        self._name = ""

    def feed(self, stamp_ns: int, read: bytes) -> list[Event]:
        """Events that end in this read. Raises StreamError above EVENT_LIMIT_BYTES."""
        if self.is_between_events and _is_data_event(read):
            return [Event(stamp_ns, read[6:-2].decode("utf-8", "replace"), "")]
        events: list[Event] = []
        for line in self._lines(read):
            if line:
                self._field(line)
                continue
            if self._data:
                events.append(Event(stamp_ns, "\n".join(self._data), self._name))
            self._data, self._data_bytes, self._name = [], 0, ""
        if self._data_bytes + len(self._rest) > EVENT_LIMIT_BYTES:
            raise _too_long()
        self.is_between_events = not (
            self._data or self._rest or self._name or self._after_cr or self._first_line
        )
        return events

    def _lines(self, read: bytes) -> list[bytes]:
        """Lines that end in this read; the start of the next one is kept."""
        if self._after_cr and read:
            read = read.removeprefix(b"\n")
            self._after_cr = False
        # Bytes, unlike str, are split at LF, CR and CRLF alone.
        lines = read.splitlines()
        start = b""
        if read.endswith(b"\r"):
            self._after_cr = True
        elif lines and not read.endswith(b"\n"):
            start = lines.pop()
        if lines and self._rest:
            lines[0] = bytes(self._rest) + lines[0]
            self._rest.clear()
        if lines and self._first_line:
            lines[0] = lines[0].removeprefix(_BOM)
            self._first_line = False
        self._rest += start
        return lines

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        # `error` is no field of the standard: llama.cpp words errors in the stream so.
        if name in (b"data", b"error"):
            self._data.append(value.decode("utf-8", "replace"))
            self._data_bytes += len(value)
            if self._data_bytes > EVENT_LIMIT_BYTES:
                raise _too_long()
        if name == b"error":
            self._name = "error"
        elif name == b"event":
            self._name = value.decode("utf-8", "replace")


def _is_data_event(read: bytes) -> bool:
    """One event of one data line and no more, as most engines write each token."""
    return (
        read.startswith(b"data: ")
        and read.endswith(b"\n\n")
        and read.find(b"\n") == len(read) - 2
        and read.find(b"\r") < 0
        and len(read) <= EVENT_LIMIT_BYTES
    )


def _too_long() -> StreamError:
    return StreamError(
        f"The server sent one event of more than {EVENT_LIMIT_BYTES // 2**20}"
        " MiB; ask it to leave out long fields such as prompt token ids."
    )
