"""Quantities as people type and read them: "29.5 tok/s", "0.4 s", "TTFT of “long”"."""

from collections.abc import Callable

from interview.cards.quantity import LAST, METRICS, Quantity
from interview.web.numbers import parse_ms, parse_quantity, with_unit

_UNITS = {"": 1, "tok/s": 1, "tokens/s": 1, "t/s": 1}
_WHOLE = ("ttft_ms", "e2e_ms", "neighbour_ttft_ms")


def parse_rate(text: str) -> float:
    """Tokens per second; raises ValueError with a sentence."""
    return parse_quantity(text, _UNITS, "is not a rate. Write 40 or 40 tok/s.")


def parser_of(metric: str) -> Callable[[str], float]:
    """Raises ValueError with a sentence."""
    return parse_ms if METRICS[metric].unit == "ms" else parse_rate


def decimals_of(metric: str) -> int:
    """Waits are whole milliseconds, all else has one decimal."""
    return 0 if metric in _WHOLE else 1


def written(metric: str, value: float | None) -> str:
    """The value with its unit, "–" when it is missing."""
    return with_unit(value, decimals_of(metric), METRICS[metric].unit)


def title_of(quantity: Quantity) -> str:
    """ "TTFT of “long”", "TTFT with 64 users"; "TTFT" of one request."""
    title, load = quantity.about.title, quantity.load
    if not load:
        return title
    if load == LAST:
        return f"{title} with the most streams"
    if load.isdigit():
        return f"{title} with {load} user{'' if load == '1' else 's'}"
    return f"{title} of “{load}”"
