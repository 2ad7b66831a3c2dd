"""An engine's answers without an engine, by its own stamps; for peers.py.

Sends one token per 30 ms and stream in vLLM's wire format. Says on stdout its port,
"begin" and "end" of the streams that are measured, and their TTFTs and gaps: the truth.
"""

import asyncio
import gc
import json
import sys
import time
from contextlib import suppress
from itertools import pairwise

TTFT_S, GAP_S, TOKENS = 0.2, 0.03, 100

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
MISSING = b"HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"


def event(choices: str, tokens: int, *, usage: bool) -> bytes:
    """One chat chunk as vLLM writes it."""
    counts = {
        "prompt_tokens": 9,
        "total_tokens": 9 + tokens,
        "completion_tokens": tokens,
    }
    told = f',"usage":{json.dumps(counts, separators=(",", ":"))}' if usage else ""
    data = (
        'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,'
        f'"model":"m","choices":{choices}{told}}}\n\n'
    ).encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


def choice(delta: str, finish: str = "null") -> str:
    return (
        f'[{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish},'
        '"token_ids":null}]'
    )


class Engine(asyncio.Protocol):
    """The server's side of a connection."""

    def __init__(self, log: "Log") -> None:
        self.log = log
        self.ahead = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.loop = asyncio.get_running_loop()

    def data_received(self, data: bytes) -> None:
        self.ahead += data
        head, end, rest = self.ahead.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r")[0]
        if not end or len(rest) < int(length or 0):
            return
        arrived_ns = time.perf_counter_ns()
        self.ahead = b""
        if b"/chat/completions" not in head:
            self.transport.write(MISSING)
            return
        self.running_usage = b"continuous_usage_stats" in rest
        self.stamps = self.log.started(arrived_ns)
        self.transport.write(HEAD)
        self.due = self.loop.time() + TTFT_S
        self.loop.call_at(self.due, self.token, 1)

    def token(self, number: int) -> None:
        if self.transport.is_closing():
            return
        role = choice('{"role":"assistant","content":""}')
        first = event(role, 0, usage=self.running_usage) if number == 1 else b""
        last = number == TOKENS
        word = choice('{"content":"w"}', '"length"' if last else "null")
        self.stamps.append(time.perf_counter_ns())
        told = first + event(word, number, usage=self.running_usage)
        if last:
            done = b"e\r\ndata: [DONE]\n\n\r\n"
            told += event("[]", number, usage=True) + done + LAST_CHUNK
        self.transport.write(told)
        if last:
            self.log.ended()
        else:
            self.due += GAP_S
            self.loop.call_at(self.due, self.token, number + 1)


class Log:
    """Stamps of the streams after the first `skip`; says when these begin and end."""

    def __init__(self, skip: int, streams: int) -> None:
        self._skip, self._left = skip, streams
        self._seen = self._ended = 0
        self._measured: list[list[int]] = []

    def started(self, arrived_ns: int) -> list[int]:
        stamps = [arrived_ns]
        if self._seen == self._skip:
            print("begin", flush=True)
        if self._seen >= self._skip:
            self._measured.append(stamps)
        self._seen += 1
        return stamps

    def ended(self) -> None:
        self._ended += 1
        if self._ended == self._skip + self._left:
            print("end", flush=True)
            print(json.dumps(numbers(self._measured)), flush=True)


def numbers(streams: list[list[int]]) -> dict[str, list[float]]:
    """TTFTs and gaps in ms of streams that are stamps: t0, then one per token."""
    return {
        "ttft_ms": [(stamps[1] - stamps[0]) / 1e6 for stamps in streams],
        "itl_ms": [
            (after - before) / 1e6
            for stamps in streams
            for before, after in pairwise(stamps[1:])
        ],
    }


async def serve(skip: int, streams: int) -> None:
    log = Log(skip, streams)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Engine(log), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    gc.freeze()
    await server.serve_forever()


def run(main):
    """On uvloop where there is one."""
    with suppress(ImportError):
        import uvloop

        return uvloop.run(main)
    return asyncio.run(main)


if __name__ == "__main__":
    run(serve(int(sys.argv[1]), int(sys.argv[2])))
