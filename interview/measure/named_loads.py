"""The spec's `loads`: several loads under names; what one leaves out the spec gives."""

import re
from typing import Any

from interview.measure.checked import Fields, known
from interview.measure.errors import UsageError
from interview.measure.load_fields import load_of
from interview.measure.workload import Load

MAX_LEVELS = 8

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FIELDS = {
    *("name", "users", "requests", "prompt_tokens", "max_tokens", "fresh_prompt"),
    *("ignore_eos", "warmup", "neighbours"),
}


def named_loads(fields: Fields) -> tuple[Load, ...]:
    """Raises UsageError, which names the load."""
    given = fields["loads"]
    if fields.get("levels") is not None:
        raise UsageError("Give loads or levels, not both.")
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_LEVELS:
        raise UsageError(f"loads must be a list of 1 to {MAX_LEVELS} objects.")
    loads = tuple(_named_load(fields, own) for own in given)
    if len({load.name for load in loads}) < len(loads):
        raise UsageError("loads must have different names.")
    return loads


def _named_load(fields: Fields, own: object) -> Load:
    name = own.get("name") if isinstance(own, dict) else None
    if not isinstance(own, dict) or not isinstance(name, str):
        raise UsageError("Each of loads must be an object with a name.")
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name: small letters, digits and hyphens.")
    try:
        known(own, _FIELDS)
        return load_of({**fields, **_given(own)}, name)
    except UsageError as wrong:
        raise UsageError(f"Load {name!r}: {wrong}") from wrong


def _given(own: Fields) -> dict[str, Any]:
    """Null is left out; but a load can say that it has no neighbours."""
    return {
        name: value
        for name, value in own.items()
        if value is not None or name == "neighbours"
    }
