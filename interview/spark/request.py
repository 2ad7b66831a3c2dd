"""One request as the scheduler sees it: token counts, blocks and stamps.

Knows no text, no HTTP and no clock; stamps are seconds of whoever drives it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class FinishReason(StrEnum):
    """Why a request ended, in vLLM's words [V:LIFE-10]."""

    STOP = "stop"
    LENGTH = "length"
    ABORT = "abort"
    ERROR = "error"
    REPETITION = "repetition"


@dataclass(slots=True, eq=False)
class Request:
    """A prompt, the rule that yields its tokens, and how far the engine is."""

    id: str
    prompt: tuple[int, ...]
    max_tokens: int
    sample: Callable[[int], int]
    """The token id at an output position; stands for the model."""
    end_token: int | None = None
    """The id that ends the output; None never ends it."""
    cache_salt: str | None = None

    output: list[int] = field(default_factory=list)
    computed: int = 0
    """Tokens whose keys and values are computed or scheduled to be."""
    placeholders: int = 0
    """Output tokens that steps in flight will bring [V:SCH-20]."""
    blocks: list[int] = field(default_factory=list)
    hashes: list[bytes] = field(default_factory=list)
    remembered: int = 0
    """Leading blocks that the prefix cache can already find."""
    cached_tokens: int | None = None
    """Prompt tokens found in the prefix cache at first admission."""
    preemptions: int = 0
    finish_reason: FinishReason | None = None

    arrived_at: float | None = None
    queued_at: float | None = None
    scheduled_at: float | None = None
    first_token_at: float | None = None
    last_token_at: float | None = None

    @property
    def known(self) -> int:
        """Tokens whose ids are known: prompt and output so far."""
        return len(self.prompt) + len(self.output)

    @property
    def pending(self) -> int:
        """Tokens still to be scheduled for the request to be up to date [V:SCH-1]."""
        return self.known + self.placeholders - self.computed

    @property
    def promised_all(self) -> bool:
        """Whether steps in flight already bring the last allowed token [V:SCH-23]."""
        ahead = self.computed + 2 - self.placeholders
        return self.placeholders > 0 and ahead >= len(self.prompt) + self.max_tokens

    def accept(self, token: int) -> None:
        """Take a sampled token and note whether it ends the request."""
        self.output.append(token)
        if token == self.end_token:
            self.finish_reason = FinishReason.STOP
        elif len(self.output) >= self.max_tokens:
            self.finish_reason = FinishReason.LENGTH
