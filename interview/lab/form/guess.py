"""What somebody expects of one quantity: a number, and perhaps a range around it."""

from dataclasses import dataclass

from interview.cards.quantity import METRICS


@dataclass(frozen=True, slots=True)
class Guess:
    """In the quantity's own unit; `low` and `high` come together or not at all."""

    quantity: str
    """`metric@load`; the metric alone for one request."""
    value: float
    low: float | None = None
    high: float | None = None


def complaint(
    metric: str, value: float | None, low: float | None, high: float | None
) -> str | None:
    """What is wrong with the three as a guess, in a sentence; None when nothing is."""
    if low is None and high is None:
        return None
    if low is None or high is None:
        return "Give both ends of the range, or neither."
    if value is None:
        return "Give a number inside the range, too."
    unit = METRICS[metric].unit
    ends = f"{low:,.10g} {unit}", f"{high:,.10g} {unit}"
    if low > high:
        return f"The range begins at {ends[0]}, above its end at {ends[1]}."
    if not low <= value <= high:
        between = " and ".join(ends)
        return f"{value:,.10g} {unit} is not between {between}: widen the range."
    return None
