"""What one level asks of an endpoint; values only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the endpoint in one level."""

    users: int = 1
    requests: int = 4
    max_tokens: int = 128
    prompt: str | None = None
    prompt_tokens: int | None = 256
    """One of the two prompts is given."""
    fresh_prompt: bool = True
    """Each prompt starts with words of its own, so that no prefix cache knows it."""
    ignore_eos: bool = True
    seed: int = 1
    warmup: int = 1
    timeout_s: float = 60.0
    """Silence on one stream that fails it."""
    max_seconds: float | None = None
    """The warm-ups, and then the measured requests, are stopped after this long."""


def default_requests(users: int) -> int:
    """Three rounds, and enough for one user to show a spread."""
    return max(4, 3 * users)


def default_warmup(users: int) -> int:
    """One request per user, up to four."""
    return min(users, 4)
