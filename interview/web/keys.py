"""Keys of rows that can be exported: sortable by time, guessable by nobody."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """A UUID version 7: 48 bits of Unix milliseconds, then random bits.

    Source: RFC 9562, section 5.7.
    """
    unix_ms = time.time_ns() // 1_000_000
    value = (unix_ms << 80) | int.from_bytes(os.urandom(10))
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return uuid.UUID(int=value)
