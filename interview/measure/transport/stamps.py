"""What the transport notes about one request, in nanoseconds of its clock."""

from dataclasses import dataclass


@dataclass(slots=True)
class Stamps:
    """Passed empty in `extensions["stamps"]` and filled by the transport."""

    connect_ns: int | None = None
    """Duration of name lookup, TCP and TLS together; None on a reused connection."""
    sent_ns: int | None = None
    """t0: taken as the first byte of the request is written."""
    headers_ns: int | None = None
    """The read that completed the head of the final answer (not of a 1xx)."""
    last_read_ns: int | None = None
    """The last read that belongs to this answer; with TLS after decryption. Known at
    its end."""
