"""What LAST means in one run: the most streams that its people came to; pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interview.cards.quantity import LAST, Quantity


def reached(quantity: Quantity, figures: Mapping[str, Any]) -> Quantity:
    """With the load that was measured; as it was, where nothing was."""
    if quantity.load != LAST or LAST in figures:
        return quantity
    measured = [
        int(name)
        for name, found in figures.items()
        if name.isdigit() and found.get("values")
    ]
    return replace(quantity, load=str(max(measured))) if measured else quantity
