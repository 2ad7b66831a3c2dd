"""What a request's output will be, token by token: stands where the model would.

Pure: the same prompt always gives the same script.
"""

from dataclasses import dataclass
from functools import lru_cache

from . import tokens
from .answer import REASONING, answer

END_TOKEN = tokens.TURN_END
_PAUSE = tuple(tokens.encode("\n\n"))


@lru_cache(maxsize=1)
def _thought() -> tuple[int, ...]:
    inside = tokens.encode(f"\n{REASONING}\n")
    return (tokens.THINK_START, *inside, tokens.THINK_END)


@dataclass(frozen=True, slots=True)
class Script:
    """An optional thought, then the answer, over and over until it may end."""

    thought: tuple[int, ...]
    answer: tuple[int, ...]
    earliest_end: int | None
    """Output position from which the end token may come; None: never."""

    def token(self, position: int) -> int:
        """The token id at an output position."""
        if position < len(self.thought):
            return self.thought[position]
        cycle = len(self.answer) + len(_PAUSE)
        place = (position - len(self.thought)) % cycle
        if place < len(self.answer):
            return self.answer[place]
        may_end = self.earliest_end is not None and position >= self.earliest_end
        return END_TOKEN if may_end else _PAUSE[place - len(self.answer)]


def write_script(
    prompt: tuple[int, ...], *, thinking: bool, earliest_end: int | None
) -> Script:
    text = tuple(tokens.encode(answer(prompt)))
    return Script(_thought() if thinking else (), text, earliest_end)
