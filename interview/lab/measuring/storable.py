"""Text of an engine that every database takes: PostgreSQL's JSON refuses U+0000."""

import re

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable[T](value: T) -> T:
    """The same JSON value with U+FFFD for NUL and for halves of surrogate pairs."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)  # type: ignore[return-value]  # str is T
    if isinstance(value, list):
        return [storable(item) for item in value]  # type: ignore[return-value]  # as above
    if isinstance(value, dict):
        return {key: storable(item) for key, item in value.items()}  # type: ignore[return-value]  # as above
    return value
