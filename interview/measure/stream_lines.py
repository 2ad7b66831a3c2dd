"""The phases and tokens of one measured request, each told as an event."""

from dataclasses import dataclass
from typing import Any, Protocol

from interview.measure.decoder import Piece
from interview.measure.turn import Watcher


class Say(Protocol):
    def __call__(self, kind: str, stamp_ns: int | None, **fields: Any) -> None: ...


class StreamLines:
    """Watches one stream."""

    def __init__(self, say: Say, index: int) -> None:
        self._say = say
        self._index = index
        self._channel = "content"

    def phase(self, name: str, stamp_ns: int) -> None:
        self._say("phase", stamp_ns, phase=name, stream=self._index)

    def piece(self, piece: Piece) -> None:
        self._channel = piece.channel or self._channel
        if piece.reasoning and piece.text:
            self._tokens(piece.stamp_ns, 0, piece.reasoning, "reasoning")
        text = piece.text or piece.reasoning
        self._tokens(piece.stamp_ns, piece.tokens, text, self._channel)

    def _tokens(self, stamp_ns: int, tokens: int, text: str, channel: str) -> None:
        self._say(
            "tokens",
            stamp_ns,
            stream=self._index,
            n=tokens,
            text=text,
            channel=channel,
        )


@dataclass(frozen=True, slots=True)
class Followed:
    """The one stream of many that is told whole and counted with the others."""

    lines: Watcher
    ticking: Watcher

    def phase(self, name: str, stamp_ns: int) -> None:
        self.lines.phase(name, stamp_ns)
        self.ticking.phase(name, stamp_ns)

    def piece(self, piece: Piece) -> None:
        self.lines.piece(piece)
        self.ticking.piece(piece)
