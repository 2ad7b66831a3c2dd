"""Asks a raw server the way a measurement does, and the answers it can give."""

import asyncio
import time

from interview.measure.client import client
from interview.measure.exchange import Exchange
from interview.measure.target import Ask, target
from interview.measure.turn import Unwatched
from tests.measure.raw_server import LAST_CHUNK, X, chunked

ASK = Ask(prompt="Say w.", max_tokens=8, ignore_eos=True, seed=1)
STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def streaming(sends, *, head_at=5, end=LAST_CHUNK):
    """The steps of a server that answers with these sends."""
    steps = [X(STREAM) @ head_at]
    steps += [chunked(data) @ at for at, data in sends]
    last_at = sends[-1][0] if sends else head_at
    return [*steps, X(end) @ last_at] if end else steps


def answering(status, body=b"", *headers, at=5):
    """The steps of a server that answers with one document."""
    lines = [
        f"HTTP/1.1 {status} X",
        f"Content-Length: {len(body)}",
        *headers,
        "",
        "",
    ]
    return [X("\r\n".join(lines).encode() + body) @ at]


JSON = "Content-Type: application/json"
MODELS = answering(200, b'{"data": [{"id": "m", "owned_by": "vllm"}]}', JSON)
VERSION = answering(200, b'{"version": "0.31.0"}', JSON)
NOTHING = answering(404)
HELLO = (MODELS, VERSION, NOTHING)
"""What a measurement asks first."""


class Noting(Unwatched):
    """Keeps what it is told."""

    def __init__(self):
        self.phases = []
        self.pieces = []

    def phase(self, name, stamp_ns):
        self.phases.append((name, stamp_ns))

    def piece(self, piece):
        self.pieces.append(piece)


def ask(url, *, times=1, watcher=None, models=(), timeout_s=5.0, pause_s=0, **options):
    """Results of requests one after another over one client."""

    async def run():
        async with client(time.perf_counter_ns, timeout_s) as http:
            to = target(url, "m", **options)
            exchange = Exchange(http, to, time.perf_counter_ns, models)
            results = []
            for number in range(times):
                await asyncio.sleep(pause_s if number else 0)
                results.append(await exchange.send(ASK, watcher or Unwatched()))
            return results

    return asyncio.run(run())
