"""How numbers are written on pages, and how typed quantities are read.

SVG attributes, CSV and JSON never pass through here: they keep the plain number.
"""

import re
from collections.abc import Mapping

MISSING = "–"
NBSP = "\u00a0"

_NUMBER = r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+"
_QUANTITY = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[a-z/]*)")
_MS_PER = {"": 1, "ms": 1, "s": 1000}


class NotAQuantity(ValueError):
    """The sentence says what to type instead."""


def number(value: float | None, decimals: int = 0) -> str:
    """`1,234.5`; a comma for thousands, "–" for a missing value."""
    return MISSING if value is None else f"{value:,.{decimals}f}"


def counted(count: int, noun: str) -> str:
    """ "1 token", "2,048 tokens" """
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def with_unit(value: float | None, decimals: int, unit: str) -> str:
    """The number and its unit, which never part at the end of a line."""
    return MISSING if value is None else f"{number(value, decimals)}{NBSP}{unit}"


def percent(value: float | None) -> str:
    """Whole percent; 0 % and 100 % only of what is exactly that."""
    if value is None or round(value) not in (0, 100) or value in (0, 100):
        return with_unit(value, 0, "%")
    if 0 < value < 0.1:
        return f"under {with_unit(0.1, 1, '%')}"
    if 99.9 < value < 100:
        return f"over {with_unit(99.9, 1, '%')}"
    return with_unit(value, 1, "%")


def ms(value_ms: float | None) -> str:
    """TTFT and E2E: whole milliseconds."""
    return with_unit(value_ms, 0, "ms")


def tpot(value_ms: float | None) -> str:
    """TPOT and ITL: milliseconds with one decimal."""
    return with_unit(value_ms, 1, "ms")


def rate(tokens_per_s: float | None) -> str:
    return with_unit(tokens_per_s, 1, "tok/s")


def parse_ms(text: str) -> float:
    """Milliseconds from "257", "257 ms" or "0.257 s"; raises NotAQuantity."""
    refusal = "is not a duration. Write it like 400, 400 ms or 0.4 s."
    return parse_quantity(text, _MS_PER, refusal)


def parse_quantity(text: str, per_unit: Mapping[str, float], refusal: str) -> float:
    """The number times what its unit stands for; "" is the unit left out.

    A comma is a mark between groups of three digits and never a decimal mark. Raises
    NotAQuantity with a sentence: `refusal` goes on from what was typed.
    """
    typed = text.strip().replace(NBSP, " ")
    value = _value(typed, per_unit)
    if value is not None:
        return value
    with_point = typed.replace(",", ".")
    if _value(with_point, per_unit) is not None:
        raise NotAQuantity(
            f"In “{typed}” the comma marks no thousands: "
            f"write {with_point} with a point."
        )
    raise NotAQuantity(f"“{typed}” {refusal}")


def _value(typed: str, per_unit: Mapping[str, float]) -> float | None:
    found = _QUANTITY.fullmatch(typed.lower())
    if found is None or found["unit"] not in per_unit:
        return None
    return float(found["number"].replace(",", "")) * per_unit[found["unit"]]
