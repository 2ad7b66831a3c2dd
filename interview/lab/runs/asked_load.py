"""One load of a run as it was asked for, with a name or told by its users."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from interview.measure.workload import default_requests


def load_title(name: str, users: int) -> str:
    """ "64 users"; its name where it has one."""
    if name != str(users):
        return name
    return "1 user" if users == 1 else f"{users:,} users"


@dataclass(frozen=True, slots=True)
class AskedNeighbours:
    """Others that are sent while a measured request streams."""

    requests: int
    """Beside each measured request."""
    prompt_tokens: int
    max_tokens: int
    after_tokens: int

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> Self | None:
        if not stored:
            return None
        return cls(
            requests=stored["requests"],
            prompt_tokens=stored["prompt_tokens"],
            max_tokens=stored.get("max_tokens") or 1,
            after_tokens=stored["after_tokens"],
        )


@dataclass(frozen=True, slots=True)
class AskedLoad:
    name: str
    """The number of users where the run named none."""
    users: int
    requests: int
    """Of one repetition."""
    prompt_tokens: int
    max_tokens: int
    fresh_prompt: bool
    neighbours: AskedNeighbours | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From an object of the measuring client's `loads`."""
        users = stored.get("users") or 1
        return cls(
            name=stored["name"],
            users=users,
            requests=stored.get("requests") or default_requests(users),
            prompt_tokens=stored["prompt_tokens"],
            max_tokens=stored["max_tokens"],
            fresh_prompt=stored.get("fresh_prompt", True),
            neighbours=AskedNeighbours.of(stored.get("neighbours")),
        )

    @property
    def title(self) -> str:
        return load_title(self.name, self.users)

    @property
    def most_at_once(self) -> int:
        """Requests in flight when all neighbours stream, too."""
        beside = self.neighbours.requests if self.neighbours else 0
        return self.users * (1 + beside)

    @property
    def longest_prompt(self) -> int:
        beside = self.neighbours.prompt_tokens if self.neighbours else 0
        return max(self.prompt_tokens, beside)

    @property
    def longest_answer(self) -> int:
        beside = self.neighbours.max_tokens if self.neighbours else 0
        return max(self.max_tokens, beside)
