"""What one run asks for, and the caps of this installation on it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Self

from django.conf import settings

from interview.measure.workload import default_requests
from interview.web.numbers import counted

from ..errors import OverCap
from .asked_load import AskedLoad

FORGOTTEN = "words that are no longer kept"
NOT_KEPT = "What this run asked is no longer kept, so it cannot be run again."
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
    """The client makes a prompt of this length; `prompt` is "" then. Of named loads,
    as `max_tokens`, the largest."""
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
    loads: list[dict[str, Any]] | None = None
    """Named loads, as the measuring client's spec has them; None is by `levels`."""
    gathers: bool = False
    """Its streams join one by one, from 1 to the last of `levels`."""

    @classmethod
    def of_loads(cls, loads: Sequence[Mapping[str, Any]], **others: Any) -> Self:
        """With named loads: what a run has once is filled from them."""
        asked = [AskedLoad.of(load) for load in loads]
        return cls(
            prompt="",
            source="length",
            prompt_tokens=max(load.prompt_tokens for load in asked),
            max_tokens=max(load.max_tokens for load in asked),
            levels=[load.users for load in asked],
            requests=[load.requests for load in asked],
            loads=[dict(load) for load in loads],
            **others,
        )

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
        one = (self.levels, self.repeat, self.requests) == ([1], 1, [1])
        return self.loads is not None or not one

    @property
    def asked_loads(self) -> tuple[AskedLoad, ...]:
        """Each load with its own lengths, in the order of measuring."""
        if self.loads is not None:
            return tuple(AskedLoad.of(load) for load in self.loads)
        prompt_tokens = self.prompt_tokens_at_most
        return tuple(
            AskedLoad(
                name=str(users),
                users=users,
                requests=requests,
                prompt_tokens=prompt_tokens,
                max_tokens=self.max_tokens,
                fresh_prompt=self.fresh_prompt,
            )
            for users, requests in self.level_requests
        )

    @property
    def is_forgotten(self) -> bool:
        """What somebody typed in a room is gone, as are its other texts."""
        typed = self.source == "text" and self.prompt_tokens is None
        return typed and not self.prompt

    @property
    def prompt_words(self) -> str:
        """The prompt for a page."""
        return FORGOTTEN if self.is_forgotten else self.prompt

    @property
    def load_names(self) -> tuple[str, ...]:
        """What figures and quantities call the loads."""
        if self.loads is not None:
            return tuple(load["name"] for load in self.loads)
        return tuple(str(users) for users in self.levels)

    @property
    def has_neighbours(self) -> bool:
        return any(load.neighbours for load in self.asked_loads)

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
        for setting, noun, length, cap, sentence in self._caps():
            if length > cap:
                asked, most = counted(length, noun), counted(cap, noun)
                said = sentence.format(asked=asked, most=most, length=length, cap=cap)
                raise OverCap(said, setting)
            if length < 1:
                raise OverCap("A run needs a prompt, an answer and a user.")
        rising = all(low < high for low, high in pairwise(self.levels))
        if self.loads is None and not rising:
            raise OverCap("The numbers of users must rise, such as 1, 4, 16, 64.")
        if self.requests is not None and len(self.requests) != len(self.levels):
            raise OverCap("Give a number of requests for each level, or none.")
        if any(number < 1 for number in (*self.levels, *(self.requests or ()))):
            raise OverCap("A level needs at least one user and one request.")

    def _caps(self) -> list[tuple[str | None, str, int, int, str]]:
        """The setting of each cap, its noun, what is asked, the cap, and a sentence."""
        loads = self.asked_loads if self.loads is not None else ()
        return [
            (
                "LAB_MAX_PROMPT_TOKENS",
                "token",
                max([self.prompt_tokens_at_most, *(x.longest_prompt for x in loads)]),
                settings.LAB_MAX_PROMPT_TOKENS,
                "The prompt has about {asked}; this lab allows {cap:,}. Shorten it.",
            ),
            (
                "LAB_MAX_TOKENS",
                "token",
                max([self.max_tokens, *(x.longest_answer for x in loads)]),
                settings.LAB_MAX_TOKENS,
                "The answer may have {most} at most; you asked for {length:,}.",
            ),
            (
                "LAB_MAX_USERS",
                "user",
                max([self.most_users, *(x.most_at_once for x in loads)]),
                settings.LAB_MAX_USERS,
                "This lab allows {most} at once; you asked for {length:,}.",
            ),
            (
                None,
                "level",
                1 if self.gathers else len(self.levels),
                MAX_LEVELS,
                "A load has {most} at most; you asked for {length}.",
            ),
            (
                None,
                "time",
                self.repeat,
                MAX_REPEAT,
                "A level is repeated {most} at most; you asked for {length}.",
            ),
        ]
