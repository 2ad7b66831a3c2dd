"""One field of a mapping of plain values: its value when it is right, or UsageError."""

import math
from collections.abc import Mapping
from typing import Any

from interview.measure.errors import UsageError

Fields = Mapping[str, Any]


def known(fields: Fields, names: set[str], where: str = "") -> None:
    """Raises UsageError for a field that is none of these."""
    unknown = sorted(set(fields) - names)
    if unknown:
        raise UsageError(f"Unknown field {unknown[0]!r}{where}.")


def text(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} must be a text.")
    return value


def an_object(fields: Fields, name: str) -> dict[str, Any]:
    """Empty when there is none."""
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(f"{name} must be an object.")
    return value


def whole(fields: Fields, name: str, default: int | None, low: int, high: int) -> int:
    """A whole number; without a default the field must be there."""
    value = fields.get(name)
    return in_bounds(name, default if value is None else value, low, high)


def in_bounds(name: str, value: object, low: int, high: int) -> int:
    """The value, when it is a whole number in these bounds; raises UsageError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{name} must be a whole number.")
    if not low <= value <= high:
        raise UsageError(f"{name} must be from {low} to {high}, not {value}.")
    return value


def flag(fields: Fields, name: str, *, default: bool) -> bool:
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false.")
    return value


def above_zero(fields: Fields, name: str, unit: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value <= 0:
        raise UsageError(f"{name} must be a number of {unit} above 0.")
    return float(value)
