"""The one stream that is looked at in each load of one user, with its neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from .levels import Json, levels_of, name_of


@dataclass(frozen=True, slots=True)
class LoadStream:
    """The first request of the first repetition."""

    name: str
    ttft_ms: float
    gaps_ms: tuple[float, ...]
    event_tokens: tuple[int, ...]
    arrivals: tuple[int, ...]
    """Numbers of the gaps, from 0, in which a neighbour was sent."""

    @property
    def whose(self) -> str:
        return f"the stream of “{self.name}”"


def load_streams(report: Json) -> list[LoadStream]:
    """Of every load of one user that has token events."""
    found = [stream_of(level) for level in levels_of(report) if level["users"] == 1]
    return [stream for stream in found if stream]


def stream_of(level: Json) -> LoadStream | None:
    repetition = level["repetitions"][0]
    first = next(iter(repetition["requests"]), None)
    if not first or not first.get("event_tokens") or not first.get("itl_ms"):
        return None
    return LoadStream(
        name=name_of(level),
        ttft_ms=first["ttft_ms"],
        gaps_ms=tuple(first["itl_ms"]),
        event_tokens=tuple(first["event_tokens"]),
        arrivals=arrivals(first, repetition.get("neighbours") or ()),
    )


def arrivals(request: Json, neighbours: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    """The gaps that were open when the neighbours of stream 0 were sent."""
    began = request.get("sent_ms")
    sent = [n.get("sent_ms") for n in neighbours if n.get("of") == 0]
    if began is None:
        return ()
    ends = list(accumulate(request["itl_ms"], initial=request["ttft_ms"]))[1:]
    found = []
    for at in sent:
        since = None if at is None else at - began
        if since is not None and request["ttft_ms"] <= since <= ends[-1]:
            found.append(next(n for n, end in enumerate(ends) if since <= end))
    return tuple(sorted(set(found)))
