"""What one run asks for, and the caps of this installation on it."""

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from django.conf import settings

from .errors import OverCap

BYTES_PER_TOKEN = 3
"""A careful guess: English has about 4.5 bytes a token, CJK text about 3."""


@dataclass(frozen=True, slots=True)
class Spec:
    """Stored as JSON with the run; the key is no part of it."""

    prompt: str
    source: str = "text"
    """card | text | length: where the prompt came from."""
    prompt_tokens: int | None = None
    """The client makes a prompt of this length; `prompt` is "" then."""
    max_tokens: int = 256
    users: int = 1
    fresh_prompt: bool = True
    """A random salt comes first, so that no prefix is in the engine's cache."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    experiment: str | None = None
    card: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        return cls(**stored)

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
                self.users,
                settings.LAB_MAX_USERS,
                "This lab allows {cap:,} users at once; you asked for {length:,}.",
            ),
        ]
