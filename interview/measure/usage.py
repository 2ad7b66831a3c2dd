"""The `usage` object of an answer: a field that is no count is missing, never 0."""

from dataclasses import dataclass


@dataclass(slots=True)
class Usage:
    """Token counts of one answer as the server gives them; None when it gave none."""

    completion_tokens: int | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def update(self, newest: "Usage") -> None:
        """Takes the newest counts; a field they leave out keeps its last value."""
        if newest.completion_tokens is not None:
            self.completion_tokens = newest.completion_tokens
        if newest.prompt_tokens is not None:
            self.prompt_tokens = newest.prompt_tokens
        if newest.cached_tokens is not None:
            self.cached_tokens = newest.cached_tokens
        if newest.reasoning_tokens is not None:
            self.reasoning_tokens = newest.reasoning_tokens


def usage_of(usage: object) -> Usage | None:
    """The `usage` object; None when absent or null."""
    if not isinstance(usage, dict):
        return None
    counts = Usage(
        count(usage.get("completion_tokens")), count(usage.get("prompt_tokens"))
    )
    details = usage.get("prompt_tokens_details")
    if isinstance(details, dict):
        counts.cached_tokens = count(details.get("cached_tokens"))
    details = usage.get("completion_tokens_details")
    if isinstance(details, dict):
        counts.reasoning_tokens = count(details.get("reasoning_tokens"))
    return counts


def count(value: object) -> int | None:
    """The value when it is a whole number of things."""
    # The exact type: True is an int, but no count.
    return value if type(value) is int and value >= 0 else None
