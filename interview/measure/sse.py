"""Bytes of an event stream to events, each with the stamp of the read that ended it.

Follows WHATWG HTML section 9.2.6; knows no JSON, no tokens and reads no clock.
"""

import re
from dataclasses import dataclass

from interview.measure.errors import StreamError

EVENT_LIMIT_BYTES = 16 * 2**20

_LINE_END = re.compile(rb"\r\n?|\n")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
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
        self._rest = bytearray()
        self._after_cr = False
        self._first_line = True
        self._data: list[str] = []
        self._data_bytes = 0
        self._name = ""

    def feed(self, stamp_ns: int, read: bytes) -> list[Event]:
        """Events that end in this read. Raises StreamError above EVENT_LIMIT_BYTES."""
        events: list[Event] = []
        start = 0
        if self._after_cr and read:
            start = 1 if read.startswith(b"\n") else 0
            self._after_cr = False
        for end in _LINE_END.finditer(read, start):
            line = read[start : end.start()]
            start = end.end()
            if self._rest:
                line = bytes(self._rest) + line
                self._rest.clear()
            event = self._line(stamp_ns, line)
            if event is not None:
                events.append(event)
        if start == len(read):
            self._after_cr = self._after_cr or read.endswith(b"\r")
        else:
            self._rest += read[start:]
        self._check_size()
        return events

    def _line(self, stamp_ns: int, line: bytes) -> Event | None:
        if self._first_line:
            line = line.removeprefix(_BOM)
            self._first_line = False
        if not line:
            return self._dispatch(stamp_ns)
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._add_data(value)
        elif name == b"event":
            self._name = value.decode("utf-8", "replace")
        elif name == b"error":
            # Not a field of the standard: llama.cpp words errors in the stream so.
            self._name = "error"
            self._add_data(value)
        return None

    def _add_data(self, value: bytes) -> None:
        self._data.append(value.decode("utf-8", "replace"))
        self._data_bytes += len(value)
        self._check_size()

    def _dispatch(self, stamp_ns: int) -> Event | None:
        data, name = self._data, self._name
        self._data, self._data_bytes, self._name = [], 0, ""
        if not data:
            return None
        return Event(stamp_ns, "\n".join(data), name)

    def _check_size(self) -> None:
        if len(self._rest) + self._data_bytes > EVENT_LIMIT_BYTES:
            raise StreamError(
                f"The server sent one event of more than {EVENT_LIMIT_BYTES // 2**20}"
                " MiB; ask it to leave out long fields such as prompt token ids."
            )
