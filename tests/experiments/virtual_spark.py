"""The simulated server on a virtual clock, with its clients in the same process.

What is left out is the network: scheduler, cache and roofline are the simulator's own.
"""

from dataclasses import dataclass, field, replace
from itertools import count

from interview.spark.machine import Options, build_front_end
from interview.spark.request import Request
from interview.spark.roofline import Roofline

END = 0
WORD = 7


@dataclass(slots=True, eq=False)
class Stream:
    """One request as its client sees it; times in seconds."""

    request: Request
    user: int
    sent_at: float
    tokens_at: list[float] = field(default_factory=list)

    @property
    def ended(self):
        return self.request.finish_reason is not None


class VirtualSpark:
    """Time passes in `until_idle` and `until` alone.

    With `ends_after` the model ends every answer after so many tokens.
    """

    def __init__(self, options: Options, ends_after=None):
        self.front = build_front_end(options.limits, options.model)
        self.now = 0.0
        self.sent = 0
        self._ends_after = ends_after
        self._fresh = count(1)
        self._told = {}

    def send(self, prompt, max_tokens, *, user=0, told=None):
        """`told` is called with the stream after each of its tokens."""
        request = Request(str(self.sent), prompt, max_tokens, self._word, END)
        stream = Stream(request, user, self.now)
        self._told[request] = stream, told
        self.sent += 1
        self.front.submit(request, self.now)
        return stream

    def until_idle(self):
        while (at := self.front.next_at()) is not None:
            self._advance(at)

    def until(self, moment):
        """Also past it, when it has gone by already."""
        while (at := self.front.next_at()) is not None and at <= moment:
            self._advance(at)
        self.now = max(self.now, moment)

    def abort(self, stream):
        """Its client has hung up."""
        self.front.abort(stream.request)

    def _advance(self, at):
        self.now = at
        for output in self.front.advance(at):
            stream, told = self._told[output.request]
            stream.tokens_at.append(output.at)
            if told:
                told(stream)

    def fresh_prompt(self, tokens):
        """It shares no block with any other."""
        first = next(self._fresh) * 1_000_000
        return tuple(range(first, first + tokens))

    def repeated_prompt(self, tokens):
        return tuple(range(1, tokens + 1))

    def slow_down(self, factor):
        """From now on the machine reads and computes so many times slower."""
        core = self.front.core
        machine = core.roofline.machine
        slower = replace(
            machine,
            read_bytes_per_s=machine.read_bytes_per_s / factor,
            matrix_flop_per_s=machine.matrix_flop_per_s / factor,
        )
        core.roofline = Roofline(slower, core.roofline.model)

    def _word(self, position):
        return END if position + 1 == self._ends_after else WORD
