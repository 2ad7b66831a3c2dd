"""What happens in a measurement as lines of NDJSON; spec.py documents each."""

import json
import platform
from collections.abc import Callable
from typing import Any

import httpx

from interview.measure.endpoint import Endpoint
from interview.measure.gathering_windows import Window
from interview.measure.report import FORMAT, request
from interview.measure.result import Result
from interview.measure.stream_lines import Followed, StreamLines
from interview.measure.target import Target
from interview.measure.ticks import End, Start, Tick, Ticking, Ticks
from interview.measure.turn import Watcher
from interview.measure.workload import Load, Repetition

Put = Callable[[bytes], None]


class EventLines:
    """Puts one line per event; `t_us` counts from `origin_ns` on the same clock."""

    def __init__(self, put: Put, clock: Callable[[], int]) -> None:
        self.origin_ns = clock()
        self._put = put
        self._clock = clock
        self._ticks = Ticks(self._tell_ticks)
        self._load = Load()

    def say(self, kind: str, stamp_ns: int | None = None, **fields: Any) -> None:
        """One event; without a stamp it is of now."""
        self._put(self.line(kind, stamp_ns, **fields))

    def line(self, kind: str, stamp_ns: int | None = None, **fields: Any) -> bytes:
        t_us = self._us(self._clock() if stamp_ns is None else stamp_ns)
        return _line({"k": kind, "t_us": t_us, **fields})

    def hello(self, endpoint: Endpoint, target: Target) -> None:
        self.say(
            "hello",
            format=FORMAT,
            versions={"python": platform.python_version(), "httpx": httpx.__version__},
            clock="perf_counter_ns",
            url=target.root,
            model=target.model,
            api=target.api,
            engine=endpoint.engine,
            models=list(endpoint.models),
        )

    def stage(self, name: str) -> None:
        self.say("phase", phase=name, stream=None)

    def warmed_up(self, repetition: Repetition, index: int, result: Result) -> None:
        self._finished(index, result, repetition.load, warmup=True)

    def level_started(self, repetition: Repetition, expected_s: float | None) -> None:
        self._load = repetition.load
        self._level("started", repetition, expected_s=expected_s, summary=None)

    def gauges(self, gauges: dict[str, float | None]) -> None:
        self.say("gauge", None, **gauges)

    def level_ended(
        self,
        repetition: Repetition,
        summary: dict[str, Any],
        window: Window | None = None,
    ) -> None:
        self._ticks.flush()
        ends = window and (window.start_ns or window.end_ns, window.end_ns)
        of = {"window_us": [self._us(at_ns) for at_ns in ends]} if ends else {}
        self._level("ended", repetition, summary=summary, **of)

    def stream(self, index: int, user: int) -> Watcher:
        if not self._load.is_crowd:
            return StreamLines(self.say, index)
        ticking = Ticking(self._ticks, index, user)
        return Followed(StreamLines(self.say, 0), ticking) if index == 0 else ticking

    def finished(self, index: int, result: Result) -> None:
        if self._load.is_crowd:
            self._ticks.end(index, result.status, result.ended_ns)
        self._finished(index, result, self._load, warmup=False)

    def neighbour(self, stream: int, user: int) -> Watcher:
        return Ticking(self._ticks, stream, user)

    def neighbour_ended(self, stream: int, result: Result) -> None:
        self._ticks.end(stream, result.status, result.ended_ns)

    def _level(self, state: str, repetition: Repetition, **fields: Any) -> None:
        load = repetition.load
        self.say(
            "level",
            state=state,
            index=repetition.level,
            levels=repetition.levels,
            name=load.name,
            users=load.users,
            repetition=repetition.number,
            repetitions=repetition.repetitions,
            requests=None if load.joined else load.requests,
            neighbours=load.neighbours.requests if load.neighbours else None,
            **(fields | {"joined": True} if load.joined else fields),
        )

    def _finished(
        self, index: int, result: Result, load: Load, *, warmup: bool
    ) -> None:
        brief = load.is_crowd and index > 0
        told = request(result, self.origin_ns, text=not brief, lists=not brief)
        self.say(
            "request",
            result.ended_ns,
            stream=index,
            warmup=warmup,
            request=told | ({"brief": True} if brief else {}),
        )

    def _tell_ticks(
        self, ticks: list[Tick], starts: list[Start], ends: list[End]
    ) -> None:
        t_us = self._us(self._clock())
        us = self._us
        event = {
            "k": "ticks",
            "t_us": t_us,
            "ticks": [(stream, n, us(at_ns) - t_us) for stream, n, at_ns in ticks],
            "starts": [
                (stream, user, us(at_ns) - t_us) for stream, user, at_ns in starts
            ],
            "ends": [
                (stream, status, us(at_ns) - t_us) for stream, status, at_ns in ends
            ],
        }
        self._put(_line(event))

    def _us(self, stamp_ns: int) -> int:
        return (stamp_ns - self.origin_ns) // 1000


def _line(event: dict[str, Any]) -> bytes:
    text = json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"
