"""The forgetting curve of FSRS as plain arithmetic, for thousands of items at once."""

from fsrs.scheduler import FSRS_DEFAULT_DECAY

DECAY = -FSRS_DEFAULT_DECAY
FACTOR = 0.9 ** (1 / DECAY) - 1


def recall_after(days: int, stability_days: float) -> float:
    """Probability of recall so many whole days after a review, between 0 and 1.

    It is 0.9 after `stability_days`.
    """
    return float((1 + FACTOR * max(0, days) / stability_days) ** DECAY)
