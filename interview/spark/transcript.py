"""Turns a request's tokens into the text deltas that its client gets.

Pure: hides marks, tells reasoning from answer, and watches for stop strings.
"""

from dataclasses import dataclass

from . import tokens
from .request import FinishReason


@dataclass(frozen=True, slots=True)
class Delta:
    """What one token adds."""

    text: str
    reasoning: bool
    mark: bool
    """Whether the token is <think> or </think>, which has no text of its own."""
    token: int | None
    """None at an end that came without a token."""
    finish_reason: FinishReason | None
    stop_reason: str | None


class Transcript:
    """The text of one output so far; stop strings count in the answer alone."""

    def __init__(
        self, stop: tuple[str, ...], *, include_stop: bool, min_tokens: int
    ) -> None:
        self.stop = stop
        self.include_stop = include_stop
        self.min_tokens = min_tokens
        self.count = 0
        self.reasoning_count = 0
        self.ids: list[int] = []
        self.finished = False
        self._text = ""
        self._sent = 0
        self._thinking = False
        self._answer_from = 0
        # So much text may be the beginning of a stop string [V:LIFE-8].
        self._held = max(map(len, stop), default=1) - 1

    def add(self, token: int, finish_reason: FinishReason | None) -> Delta:
        self.count += 1
        self.ids.append(token)
        mark = token in (tokens.THINK_START, tokens.THINK_END)
        if mark:
            self._thinking = token == tokens.THINK_START
            self._answer_from = len(self._text)
        self.reasoning_count += self._thinking and not mark
        before = len(self._text)
        self._text += tokens.decode([token])
        found = self._find_stop(before)
        if found is not None:
            end = found[0] + (len(found[1]) if self.include_stop else 0)
            self._text = self._text[:end]
            return self._delta(token, mark, FinishReason.STOP, found[1])
        return self._delta(token, mark, finish_reason, None)

    def cut(self) -> Delta:
        """The end of an output that the server gave up, with the text held back."""
        return self._delta(None, False, FinishReason.ABORT, None)

    def _find_stop(self, before: int) -> tuple[int, str] | None:
        """Place and text of the first stop string that ends in the new text."""
        if self._thinking or self.count <= self.min_tokens:
            return None
        found = (
            (
                self._text.find(stop, max(self._answer_from, before - len(stop) + 1)),
                stop,
            )
            for stop in self.stop
        )
        return min((hit for hit in found if hit[0] >= 0), default=None)

    def _delta(
        self,
        token: int | None,
        mark: bool,
        finish_reason: FinishReason | None,
        stop_reason: str | None,
    ) -> Delta:
        held = 0 if finish_reason or self._thinking else self._held
        until = max(self._sent, len(self._text) - held)
        text, self._sent = self._text[self._sent : until], until
        self.finished = finish_reason is not None
        return Delta(text, self._thinking, mark, token, finish_reason, stop_reason)
