"""Checks the simulation against the manual's six published figures."""

import itertools
import statistics
from dataclasses import dataclass

from .blocks import BlockPool, BLOCK_TOKENS
from .core import STEPS_IN_FLIGHT, EngineCore
from .frontend import FrontEnd
from .profiles import DGX_SPARK, QWEN3_30B_A3B, kv_blocks
from .request import Request
from .roofline import Roofline
from .scheduler import Limits, Scheduler


@dataclass(frozen=True, slots=True)
class Load:
    users: int
    requests: int
    prompt_tokens: int = 512
    output_tokens: int = 128


def run(load: Load, depth: int = STEPS_IN_FLIGHT):
    pool = BlockPool(kv_blocks(DGX_SPARK, QWEN3_30B_A3B, BLOCK_TOKENS))
    core = EngineCore(
        Scheduler(Limits(), pool), Roofline(DGX_SPARK, QWEN3_30B_A3B), depth
    )
    front = FrontEnd(core)
    serial = itertools.count()
    done = []

    def send(now):
        n = next(serial)
        if n < load.requests:
            start = n * load.prompt_tokens
            front.submit(
                Request(
                    str(n),
                    tuple(range(start, start + load.prompt_tokens)),
                    load.output_tokens,
                    lambda i: 7,
                ),
                now,
            )

    first = {}
    for _ in range(load.users):
        send(0.0)
    last = 0
    while (at := front.next_at()) is not None:
        for o in front.advance(at):
            first.setdefault(o.request.id, o.at)
            if o.finish_reason:
                r = o.request
                done.append(
                    (
                        first[r.id] - r.arrived_at,
                        (o.at - first[r.id]) / (load.output_tokens - 1),
                    )
                )
                last = o.at
                send(o.at)
    tt = [a for a, _ in done]
    tp = [b for _, b in done]
    return (
        statistics.median(tt) * 1e3,
        statistics.fmean(tt) * 1e3,
        sorted(tt)[int(0.99 * len(tt))] * 1e3,
        statistics.median(tp) * 1e3,
        load.output_tokens * len(done) / last,
    )


if __name__ == "__main__":
    for l in (
        Load(1, 4),
        Load(4, 12),
        Load(16, 48),
        Load(64, 192),
        Load(64, 192, 1024),
    ):
        print(l.users, [round(x, 1) for x in run(l)])
    print([round(x, 1) for x in run(Load(64, 192, 1024), 1)])
