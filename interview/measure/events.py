"""What happens in a measurement as lines of NDJSON; spec.py documents each."""

import json
import platform
from collections.abc import Callable
from typing import Any

import httpx

from interview.measure.decoder import Piece
from interview.measure.endpoint import Endpoint
from interview.measure.report import FORMAT, request
from interview.measure.result import Result
from interview.measure.target import Target
from interview.measure.turn import Watcher
from interview.measure.workload import Load

Put = Callable[[bytes], None]


class EventLines:
    """Puts one line per event; `t_us` counts from `origin_ns` on the same clock."""

    def __init__(
        self,
        put: Put,
        clock: Callable[[], int],
        target: Target,
        load: Load,
    ) -> None:
        self.origin_ns = clock()
        self._put = put
        self._clock = clock
        self._target = target
        self._load = load

    def say(self, kind: str, stamp_ns: int | None = None, **fields: Any) -> None:
        """One event; without a stamp it is of now."""
        self._put(self.line(kind, stamp_ns, **fields))

    def line(self, kind: str, stamp_ns: int | None = None, **fields: Any) -> bytes:
        at_ns = self._clock() if stamp_ns is None else stamp_ns
        event = {"k": kind, "t_us": (at_ns - self.origin_ns) // 1000, **fields}
        text = json.dumps(event, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8", "replace") + b"\n"

    def hello(self, endpoint: Endpoint) -> None:
        self.say(
            "hello",
            format=FORMAT,
            versions={"python": platform.python_version(), "httpx": httpx.__version__},
            clock="perf_counter_ns",
            url=self._target.root,
            model=self._target.model,
            api=self._target.api,
            engine=endpoint.engine,
            models=list(endpoint.models),
        )

    def stage(self, name: str) -> None:
        self.say("phase", phase=name, stream=None)

    def warmed_up(self, index: int, result: Result) -> None:
        self._finished(index, result, warmup=True)

    def level_started(self) -> None:
        self._level("started", None)

    def gauges(self, gauges: dict[str, float | None]) -> None:
        self.say("gauge", None, **gauges)

    def level_ended(self, summary: dict[str, Any]) -> None:
        self._level("ended", summary)

    def stream(self, index: int) -> Watcher:
        return _StreamLines(self, index)

    def finished(self, index: int, result: Result) -> None:
        self._finished(index, result, warmup=False)

    def _level(self, state: str, summary: dict[str, Any] | None) -> None:
        load = self._load
        self.say(
            "level",
            state=state,
            users=load.users,
            requests=load.requests,
            summary=summary,
        )

    def _finished(self, index: int, result: Result, *, warmup: bool) -> None:
        self.say(
            "request",
            result.ended_ns,
            stream=index,
            warmup=warmup,
            request=request(result, self.origin_ns),
        )


class _StreamLines:
    """The phases and tokens of one measured request."""

    def __init__(self, lines: EventLines, index: int) -> None:
        self._lines = lines
        self._index = index
        self._channel = "content"

    def phase(self, name: str, stamp_ns: int) -> None:
        self._lines.say("phase", stamp_ns, phase=name, stream=self._index)

    def piece(self, piece: Piece) -> None:
        self._channel = piece.channel or self._channel
        if piece.reasoning and piece.text:
            self._tokens(piece.stamp_ns, 0, piece.reasoning, "reasoning")
        text = piece.text or piece.reasoning
        self._tokens(piece.stamp_ns, piece.tokens, text, self._channel)

    def _tokens(self, stamp_ns: int, tokens: int, text: str, channel: str) -> None:
        self._lines.say(
            "tokens",
            stamp_ns,
            stream=self._index,
            n=tokens,
            text=text,
            channel=channel,
        )
