"""What one run asks for, and the caps of this installation on it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Self

from django.conf import settings

from interview.measure.workload import default_requests

from .errors import OverCap

BYTES_PER_TOKEN = 3
"""A careful guess: English has about 4.5 bytes a token, CJK text about 3."""
MAX_LEVELS = 8
MAX_REPEAT = 20


@dataclass(frozen=True, slots=True)
class Spec:
    """Stored as JSON with the run; the key is no part of it."""

    prompt: str
    source: str = "text"
    """card | text | length: where the prompt came from."""
    prompt_tokens: int | None = None
    """The client makes a prompt of this length; `prompt` is "" then."""
    max_tokens: int = 256
    levels: list[int] = field(default_factory=lambda: [1])
    """Users at once, one level after the other, rising."""
    repeat: int = 1
    """Repetitions of each level."""
    requests: list[int] | None = field(default_factory=lambda: [1])
    """Of one repetition of each level; None is the client's rule."""
    limits: dict[str, float] | None = None
    """Goodput's limits: ttft_ms, tpot_ms, e2e_ms, those that are set."""
    fresh_prompt: bool = True
    """A random salt comes first, so that no prefix is in the engine's cache."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    experiment: str | None = None
    card: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Also of a spec that was stored before there were levels."""
        fields = dict(stored)
        if (users := fields.pop("users", None)) is not None:
            fields |= {"levels": [users], "requests": [users]}
        return cls(**fields)

    @property
    def is_load(self) -> bool:
        """More than the one request that a person watches."""
        return (self.levels, self.repeat, self.requests) != ([1], 1, [1])

    @property
    def most_users(self) -> int:
        return max(self.levels, default=0)

    @property
    def level_requests(self) -> list[tuple[int, int]]:
        """Users and requests of one repetition, level by level."""
        asked = self.requests or [default_requests(users) for users in self.levels]
        return list(zip(self.levels, asked, strict=True))

    @property
    def total_requests(self) -> int:
        return self.repeat * sum(requests for _, requests in self.level_requests)

    @property
    def ignores_eos(self) -> bool:
        """A made-up prompt gets an answer of the full length, others end naturally."""
        return self.prompt_tokens is not None

    @property
    def prompt_tokens_at_most(self) -> int:
        """Prompt length in tokens: as asked, else guessed from its bytes."""
        if self.prompt_tokens is not None:
            return self.prompt_tokens
        return -(-len(self.prompt.encode()) // BYTES_PER_TOKEN)

    def check(self) -> None:
        """Raise OverCap with one sentence for the first cap that is exceeded."""
        for length, cap, sentence in self._caps():
            if length > cap:
                raise OverCap(sentence.format(length=length, cap=cap))
            if length < 1:
                raise OverCap("A run needs a prompt, an answer and a user.")
        if any(low >= high for low, high in pairwise(self.levels)):
            raise OverCap("The numbers of users must rise, such as 1, 4, 16, 64.")
        if self.requests is not None and len(self.requests) != len(self.levels):
            raise OverCap("Give a number of requests for each level, or none.")
        if any(number < 1 for number in (*self.levels, *(self.requests or ()))):
            raise OverCap("A level needs at least one user and one request.")

    def _caps(self) -> list[tuple[int, int, str]]:
        return [
            (
                self.prompt_tokens_at_most,
                settings.LAB_MAX_PROMPT_TOKENS,
                "The prompt has about {length:,} tokens; this lab allows {cap:,}. "
                "Shorten it.",
            ),
            (
                self.max_tokens,
                settings.LAB_MAX_TOKENS,
                "The answer may have {cap:,} tokens at most; you asked for {length:,}.",
            ),
            (
                self.most_users,
                settings.LAB_MAX_USERS,
                "This lab allows {cap:,} users at once; you asked for {length:,}.",
            ),
            (
                len(self.levels),
                MAX_LEVELS,
                "A load has {cap} levels at most; you asked for {length}.",
            ),
            (
                self.repeat,
                MAX_REPEAT,
                "A level is repeated {cap} times at most; you asked for {length}.",
            ),
        ]
