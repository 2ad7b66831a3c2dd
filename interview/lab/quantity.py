"""A rate as people type it: "29.5", "29.5 tok/s", "1,200 t/s"."""

from interview.web.numbers import parse_quantity

_UNITS = {"": 1, "tok/s": 1, "tokens/s": 1, "t/s": 1}


def parse_rate(text: str) -> float:
    """Tokens per second; raises ValueError with a sentence."""
    return parse_quantity(text, _UNITS, "is not a rate. Write 40 or 40 tok/s.")
