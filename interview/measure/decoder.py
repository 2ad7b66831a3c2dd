"""Reads of one answer, with their stamps, to token events and the answer's end.

Reads no clock and waits for nothing: the same reads give the same numbers.
"""

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from interview.measure.chunks import Choice, chunk_of, error_of
from interview.measure.errors import StreamError
from interview.measure.plain import plain_event
from interview.measure.sse import Event, Splitter
from interview.measure.tokens import Evidence, TokenCounter
from interview.measure.usage import Usage

Channel = Literal["content", "reasoning"]


# Not frozen: one is made per token, and freezing makes that five times slower.
@dataclass(slots=True)
class Piece:
    """What one event adds to the answer; a token event when it has tokens."""

    stamp_ns: int
    tokens: int
    text: str
    reasoning: str

    @property
    def channel(self) -> Channel | None:
        """None for tokens without text, as in half a character."""
        if self.text:
            return "content"
        return "reasoning" if self.reasoning else None


@dataclass(frozen=True, slots=True)
class Answer:
    """All that was read of one stream."""

    events: tuple[Piece, ...]
    """Token events in order."""
    tokens: int
    tokens_from: Evidence | None
    prompt_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    texts: tuple[str, ...]
    """By index of the choice; tool calls as their names and arguments."""
    reasoning: str
    finish_reason: str | None
    done: bool
    error: str | None
    server: dict[str, float] | None
    end_ns: int | None
    """Stamp of [DONE], or of the last read."""
    notes: tuple[str, ...]


class Decoder:
    """Takes reads as they come; `answer()` says what they held so far."""

    def __init__(self) -> None:
        self.done = False
        self.error: str | None = None
        self._splitter = Splitter()
        self._counter = TokenCounter()
        self._pieces: list[Piece] = []
        self._finish_reason: str | None = None
        self._empty_finish_ns: int | None = None
        self._end_ns: int | None = None
        self._usage = Usage()
        self._final_tokens: int | None = None
        self._texts: defaultdict[int, list[str]] = defaultdict(list)
        self._server: dict[str, float] | None = None

    @property
    def ended(self) -> bool:
        """[DONE] or an error was read: nothing that follows counts."""
        return self.done or self.error is not None

    def feed(self, stamp_ns: int, read: bytes) -> list[Piece]:
        """New text and tokens of this read, an empty list when it had none."""
        if self.ended:
            return []
        self._end_ns = stamp_ns
        pieces: list[Piece] = []
        rest = self._plain(stamp_ns, read, pieces)
        try:
            for event in self._splitter.feed(stamp_ns, rest) if rest else ():
                piece = self._event(event)
                if piece is not None:
                    pieces.append(piece)
                if self.ended:
                    break
        except StreamError as broken:
            self.error = str(broken)
        self._pieces += pieces
        return pieces

    def _plain(self, stamp_ns: int, read: bytes, pieces: list[Piece]) -> bytes:
        """Takes the plain events off the front of the read; the rest of it is left."""
        start = 0
        while self._splitter.is_between_events and start < len(read):
            plain = plain_event(read, start)
            if plain is None:
                break
            text, reasoning, prompt_tokens, completion_tokens, thought, end = plain
            tokens = self._counter.rise(completion_tokens)
            if tokens is None:
                break
            start = end
            usage = self._usage
            usage.completion_tokens = completion_tokens
            usage.prompt_tokens = prompt_tokens
            if thought is not None:
                usage.reasoning_tokens = thought
            self._texts[0].append(text)
            if tokens or text or reasoning:
                pieces.append(Piece(stamp_ns, tokens, text, reasoning))
        return read[start:]

    def _event(self, event: Event) -> Piece | None:
        data = event.data.strip()
        if event.name == "error":
            self.error = _error_text(data)
        elif data == "[DONE]":
            self.done = True
        elif data:
            return self._chunk(event.stamp_ns, data)
        return None

    def _chunk(self, stamp_ns: int, data: str) -> Piece | None:
        chunk = chunk_of(data)
        self._server = chunk.server or self._server
        if chunk.error is not None:
            self.error = chunk.error
            return None
        tokens = self._counter.count(chunk.choices, chunk.usage)
        if chunk.usage is not None:
            self._usage.update(chunk.usage)
            if not chunk.choices:
                self._set_final(chunk.usage)
        text = reasoning = ""
        for choice in chunk.choices:
            self._texts[choice.index].append(choice.content)
            text += choice.content
            reasoning += choice.reasoning
            if choice.finish_reason:
                self._finish(stamp_ns, choice, tokens, chunk.usage)
        if not (tokens or text or reasoning):
            return None
        return Piece(stamp_ns, tokens, text, reasoning)

    def _finish(
        self, stamp_ns: int, choice: Choice, tokens: int, usage: Usage | None
    ) -> None:
        self._finish_reason = choice.finish_reason
        empty = not tokens and not choice.has_output
        self._empty_finish_ns = stamp_ns if empty else None
        if usage is not None and not self._counter.per_choice:
            self._set_final(usage)

    def _set_final(self, usage: Usage) -> None:
        if usage.completion_tokens is not None:
            self._final_tokens = usage.completion_tokens

    def answer(self) -> Answer:
        """The state so far as values; the end-of-text token is placed here."""
        notes: list[str] = []
        events = self._events(notes)
        tokens, tokens_from = self._total(notes)
        if len(self._texts) > 1:
            notes.append("several-choices")
        return Answer(
            events=tuple(events),
            tokens=tokens,
            tokens_from=tokens_from,
            prompt_tokens=self._usage.prompt_tokens,
            cached_tokens=self._usage.cached_tokens,
            reasoning_tokens=self._usage.reasoning_tokens,
            texts=tuple("".join(self._texts[index]) for index in sorted(self._texts)),
            reasoning="".join(piece.reasoning for piece in self._pieces),
            finish_reason=self._finish_reason,
            done=self.done,
            error=self.error,
            server=self._server,
            end_ns=self._end_ns,
            notes=tuple(notes),
        )

    def _events(self, notes: list[str]) -> list[Piece]:
        """Token events; with the one that rode in an empty finish event, if any."""
        events = [piece for piece in self._pieces if piece.tokens]
        finish_ns = self._empty_finish_ns
        missing = (self._final_tokens or 0) - self._counter.total
        last_ns = events[-1].stamp_ns if events else 0
        if missing > 0 and finish_ns is not None and finish_ns >= last_ns:
            events.append(Piece(finish_ns, 1, "", ""))
            notes.append("end-token")
        return events

    def _total(self, notes: list[str]) -> tuple[int, Evidence | None]:
        """N and where it comes from: final usage, else what was counted."""
        counter = self._counter
        if "events" in counter.used:
            notes.append("one-token-per-event")
        if self._final_tokens is None:
            if counter.used - {"usage"}:
                notes.append("counted-by-client")
            return counter.total, _weakest(counter.used)
        if self._final_tokens < counter.running_peak:
            notes.append("usage-fell")
            return counter.running_peak, "usage"
        return self._final_tokens, "usage"


def _weakest(used: set[Evidence]) -> Evidence | None:
    for evidence in ("events", "logprobs", "token_ids", "usage"):
        if evidence in used:
            return evidence
    return None


def _error_text(data: str) -> str:
    """The words of an event named error, whose data may have any form."""
    try:
        payload = json.loads(data)
    except ValueError:
        payload = data
    error = error_of(payload) if isinstance(payload, dict) else None
    return error or error_of({"error": payload}) or "error without a message"
