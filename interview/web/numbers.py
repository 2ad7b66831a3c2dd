"""How numbers are written on pages, and how typed durations are read.

SVG attributes, CSV and JSON never pass through here: they keep the plain number.
"""

import re

MISSING = "–"
NBSP = "\u00a0"

_DURATION = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>ms|s)?"
)
_MS_PER = {None: 1, "ms": 1, "s": 1000}


class NotADuration(ValueError):
    """The sentence says what to type instead."""


def number(value: float | None, decimals: int = 0) -> str:
    """`1,234.5`; a comma for thousands, "–" for a missing value."""
    return MISSING if value is None else f"{value:,.{decimals}f}"


def with_unit(value: float | None, decimals: int, unit: str) -> str:
    """The number and its unit, which never part at the end of a line."""
    return MISSING if value is None else f"{number(value, decimals)}{NBSP}{unit}"


def ms(value_ms: float | None) -> str:
    """TTFT and E2E: whole milliseconds."""
    return with_unit(value_ms, 0, "ms")


def tpot(value_ms: float | None) -> str:
    """TPOT and ITL: milliseconds with one decimal."""
    return with_unit(value_ms, 1, "ms")


def rate(tokens_per_s: float | None) -> str:
    return with_unit(tokens_per_s, 1, "tok/s")


def parse_ms(text: str) -> float:
    """Milliseconds from "257", "257 ms" or "0.257 s"; raises NotADuration."""
    found = _DURATION.fullmatch(text.strip().lower().replace(NBSP, " "))
    if not found:
        raise NotADuration(
            f"“{text.strip()}” is not a duration. Write it like 257, 257 ms or 0.257 s."
        )
    return float(found["number"].replace(",", "")) * _MS_PER[found["unit"]]
