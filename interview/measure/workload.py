"""What a measurement asks of an endpoint, level by level; values only."""

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Limits:
    """What a good request keeps to, in ms; None is no limit."""

    ttft_ms: float | None = None
    tpot_ms: float | None = None
    e2e_ms: float | None = None


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
    limits: Limits | None = None


@dataclass(frozen=True, slots=True)
class Repetition:
    """One run of one level, and its place in the plan; all numbers count from 0."""

    load: Load
    level: int
    levels: int
    number: int
    repetitions: int

    @property
    def is_first(self) -> bool:
        return self.level == self.number == 0


@dataclass(frozen=True, slots=True)
class Plan:
    """The levels in the order they are measured, each `repeat` times."""

    loads: tuple[Load, ...]
    repeat: int = 1

    @property
    def is_series(self) -> bool:
        """More than one repetition in all: the report is by level."""
        return len(self.loads) * self.repeat > 1

    @property
    def is_load(self) -> bool:
        """More than single requests: one after another, by one user, once."""
        return self.is_series or self.loads[0].users > 1

    def repetitions(self) -> Iterator[Repetition]:
        """Each repetition has a seed of its own, and a level is warmed up once."""
        for level, load in enumerate(self.loads):
            for number in range(self.repeat):
                own = replace(
                    load,
                    seed=load.seed + number,
                    warmup=load.warmup if number == 0 else 0,
                )
                yield Repetition(own, level, len(self.loads), number, self.repeat)


def default_requests(users: int) -> int:
    """Three rounds, and enough for one user to show a spread."""
    return max(4, 3 * users)


def default_warmup(users: int) -> int:
    """One request per user, up to four."""
    return min(users, 4)
