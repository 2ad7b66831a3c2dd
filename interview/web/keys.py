"""Keys of rows that can be exported: sortable by time, guessable by nobody."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """A UUID version 7: Unix milliseconds, 12 bits of their fraction, then chance.

    Source: RFC 9562, section 5.7, with method 3 of section 6.2 for the fraction, so
    that keys made one after the other sort in that order.
    """
    unix_ms, rest_ns = divmod(time.time_ns(), 1_000_000)
    fraction = rest_ns * 4096 // 1_000_000
    value = (unix_ms << 80) | (fraction << 64) | int.from_bytes(os.urandom(8))
    value |= 0x7 << 76
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return uuid.UUID(int=value)
