"""A closed-loop load on the virtual clock, as `vllm bench serve` makes it.

Pure: no server, no waiting. All users start at once and each sends its next request
when the last one has ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from .frontend import FrontEnd
from .request import Request
from .scheduler import Output

_ANY_TOKEN = 7


@dataclass(frozen=True, slots=True)
class Load:
    """Users at a time, requests in all, and their lengths in tokens."""

    users: int
    requests: int
    prompt_tokens: int = 512
    output_tokens: int = 128


@dataclass(slots=True)
class Trace:
    """When one request was sent and when each of its tokens came."""

    sent_at: float
    tokens_at: list[float] = field(default_factory=list)

    @property
    def ttft(self) -> float:
        return self.tokens_at[0] - self.sent_at

    @property
    def tpot(self) -> float:
        """(last token - first token) / (tokens - 1); needs two tokens."""
        span = self.tokens_at[-1] - self.tokens_at[0]
        return span / (len(self.tokens_at) - 1)


def run_load(load: Load, front: FrontEnd) -> list[Trace]:
    """Traces in order of sending. No two prompts share a block."""
    traces: list[Trace] = []
    for _ in range(load.users):
        _send(load, front, traces, 0.0)
    for output in _outputs(front):
        traces[int(output.request.id)].tokens_at.append(output.at)
        if output.finish_reason is not None and len(traces) < load.requests:
            _send(load, front, traces, output.at)
    return traces


def _outputs(front: FrontEnd) -> Iterator[Output]:
    while (at := front.next_at()) is not None:
        yield from front.advance(at)


def _send(load: Load, front: FrontEnd, traces: list[Trace], now: float) -> None:
    first = len(traces) * load.prompt_tokens
    prompt = tuple(range(first, first + load.prompt_tokens))
    request = Request(str(len(traces)), prompt, load.output_tokens, _sample)
    traces.append(Trace(now))
    front.submit(request, now)


def _sample(position: int) -> int:
    return _ANY_TOKEN
