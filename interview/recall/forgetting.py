"""The forgetting curve of FSRS as plain arithmetic, for thousands of items at once."""

from fsrs.scheduler import FSRS_DEFAULT_DECAY

DECAY = -FSRS_DEFAULT_DECAY
FACTOR = 0.9 ** (1 / DECAY) - 1


def recall_after(days: int, stability_days: float) -> float:
    """Probability of recall so many whole days after a review, between 0 and 1.

    It is 0.9 after `stability_days`.
    """
    return recall_at(max(0, days) / stability_days)


def recall_at(faded: float) -> float:
    """The same of days over stability; 0.9 at 1."""
    return float((1 + FACTOR * faded) ** DECAY)


def faded_to(recall: float) -> float:
    """Days over stability at which so much is recalled: the inverse."""
    return float((recall ** (1 / DECAY) - 1) / FACTOR)
