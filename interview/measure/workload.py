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
class Neighbours:
    """Requests sent beside each measured one while it streams.

    The k-th goes out when the measured one has received k × `after_tokens` tokens.
    """

    requests: int
    prompt_tokens: int
    """Their prompts are always fresh."""
    max_tokens: int
    after_tokens: int


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the endpoint in one level."""

    name: str | None = None
    """None when its number of users is all that tells it from the others."""
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
    neighbours: Neighbours | None = None
    joined: bool = False
    """Its users join one by one while it runs, as streams of a gathering."""

    @property
    def connections(self) -> int:
        """As many requests as can be in flight when each user has one."""
        beside = self.neighbours.requests if self.neighbours else 0
        return self.users * (1 + beside)

    @property
    def is_crowd(self) -> bool:
        """Several requests are in flight at once, or may come to be."""
        return self.joined or self.connections > 1


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

    @property
    def words_seed(self) -> int:
        """Of the prompts' words: a prompt that is not fresh is the whole level's."""
        return self.load.seed - (0 if self.load.fresh_prompt else self.number)


@dataclass(frozen=True, slots=True)
class Plan:
    """The levels in the order they are measured, each `repeat` times."""

    loads: tuple[Load, ...]
    repeat: int = 1

    @property
    def gathers(self) -> bool:
        """Its one load has as many users as may join while it runs."""
        return self.loads[0].joined

    @property
    def is_series(self) -> bool:
        """Named loads or more than one repetition in all: the report is by level."""
        named = self.loads[0].name is not None
        return named or len(self.loads) * self.repeat > 1

    @property
    def is_load(self) -> bool:
        """More than single requests: one after another, by one user, once."""
        return self.is_series or self.loads[0].is_crowd

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
