"""A rate as people type it: "29.5", "29.5 tok/s", "1,200 t/s"."""

import re

PATTERN = re.compile(r"(\d[\d,]*(?:\.\d*)?|\.\d+)\s*(?:tok/s|tokens/s|t/s)?")


def parse_rate(text: str) -> float:
    """Tokens per second; raises ValueError with a sentence."""
    found = PATTERN.fullmatch(text.strip().lower().replace("\u00a0", " "))
    if not found:
        raise ValueError(f"“{text.strip()}” is not a rate. Write 29.5 or 29.5 tok/s.")
    return float(found[1].replace(",", ""))
