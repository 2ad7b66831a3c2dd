"""How exact the measuring transport is; by hand: `python tests/bench/client_timing.py`.

A server in a child process sends one token per 30 ms and stream; each token carries the
time it was sent. A bare asyncio Protocol, the transport, and the transport with the
decoding of vLLM's events are compared on warm connections that all start at once. One
machine has one clock: stamps may be subtracted.
Run it alone: the bare socket's own error says how busy the machine was.
"""

import asyncio
import gc
import re
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import uvloop

from interview.measure.client import Client
from interview.measure.intake import Backlog, Intake
from interview.measure.transport import StampingTransport, Stamps

TTFT_S, GAP_S, TOKENS = 0.2, 0.03, 40
ROUNDS = 3
REQUEST = b"POST /v1 HTTP/1.1\r\nHost: bench\r\nContent-Length: 2\r\n\r\n{}"
HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"
TOKEN = re.compile(rb"data: (\d+) (\d+)\n\n")


class Engine(asyncio.Protocol):
    """The server's side of a connection; a token is `data: <request read> <sent>`."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.loop = asyncio.get_running_loop()
        self.ahead = b""

    def data_received(self, data: bytes) -> None:
        self.ahead += data
        if self.ahead.endswith(b"\r\n\r\n{}"):
            self.ahead = b""
            self.arrived_ns = time.perf_counter_ns()
            self.transport.write(HEAD)
            self.due = self.loop.time() + TTFT_S
            self.loop.call_at(self.due, self.token, TOKENS)

    def token(self, left: int) -> None:
        if self.transport.is_closing():
            return
        event = b"data: %d %d\n\n" % (self.arrived_ns, time.perf_counter_ns())
        self.transport.write(b"%x\r\n%b\r\n" % (len(event), event))
        if left > 1:
            self.due += GAP_S
            self.loop.call_at(self.due, self.token, left - 1)
        else:
            self.transport.write(LAST_CHUNK)


async def serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Engine, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    gc.freeze()
    await server.serve_forever()


VLLM_EVENT = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,'
    b'"model":"m","choices":[{"index":0,"delta":{"content":"word"},"logprobs":null,'
    b'"finish_reason":null,"token_ids":null}],"usage":{"prompt_tokens":9,'
    b'"total_tokens":%d,"completion_tokens":%d}}\n\n'
)
"""What a read of a real engine holds, for the client that decodes as it goes."""


@dataclass
class Stream:
    """One request as a client saw it: t0 and (stamp, bytes) per read."""

    sent_ns: int = 0
    reads: list[tuple[int, bytes]] = field(default_factory=list)

    def tokens(self) -> list[tuple[int, int, int]]:
        """(read, request arrived, sent) per token, in ns."""
        found, text = [], b""
        for at_ns, data in self.reads:
            text += data
            while match := TOKEN.search(text):
                found.append((at_ns, int(match[1]), int(match[2])))
                text = text[match.end() :]
        assert len(found) == TOKENS, f"{len(found)} of {TOKENS} tokens"
        return found


class Bare(asyncio.Protocol):
    """The floor: nothing but a stamp per read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def start(self) -> None:
        self.stream = Stream()
        self.done = asyncio.get_running_loop().create_future()
        self.stream.sent_ns = time.perf_counter_ns()
        self.transport.write(REQUEST)

    def data_received(self, data: bytes) -> None:
        self.stream.reads.append((time.perf_counter_ns(), data))
        if data.endswith(LAST_CHUNK):
            self.done.set_result(None)


async def bare_waves(port: int, users: int, waves: int) -> AsyncIterator[list[Stream]]:
    loop = asyncio.get_running_loop()
    opened = [
        await loop.create_connection(Bare, "127.0.0.1", port) for _ in range(users)
    ]
    clients = [protocol for _, protocol in opened]
    for _ in range(waves):
        for client in clients:
            client.start()
        await asyncio.gather(*(client.done for client in clients))
        yield [client.stream for client in clients]
    for transport, _ in opened:
        transport.close()


async def own_waves(
    port: int, users: int, waves: int, *, decoding: bool = False
) -> AsyncIterator[list[Stream]]:
    backlog = Backlog()

    async def stream(http: Client) -> Stream:
        seen, stamps = Stream(), Stamps()
        intake = Intake(backlog, lambda piece: None, lambda: None)
        intake.open()

        def sink(stamp_ns: int, read: bytes) -> None:
            seen.reads.append((stamp_ns, read))
            if decoding:
                tokens = len(seen.reads)
                intake(stamp_ns, VLLM_EVENT % (9 + tokens, tokens))

        url = f"http://127.0.0.1:{port}/v1"
        extensions = {"stamps": stamps, "sink": sink}
        asked = http.build_request("POST", url, content=b"{}", extensions=extensions)
        await (await http.ask(asked)).aread()
        seen.sent_ns = stamps.sent_ns
        return seen

    async with Client(StampingTransport(), trust_env=False, timeout=None) as http:
        for _ in range(waves):
            yield await asyncio.gather(*(stream(http) for _ in range(users)))


CLIENTS = {
    "bare socket": bare_waves,
    "transport": own_waves,
    "and decoding": partial(own_waves, decoding=True),
}


async def measure(
    waves, port: int, users: int, warm: int
) -> tuple[list[Stream], float]:
    """Streams and CPU seconds of all waves but the first, which opens connections."""
    streams, first = [], True
    gc.collect()
    gc.freeze()
    async for wave in waves(port, users, warm + 1):
        if first:
            first, start = False, time.process_time()
        else:
            streams += wave
    return streams, time.process_time() - start


@dataclass
class Errors:
    """All in ms, against the server's own send times."""

    itl: list[float] = field(default_factory=list)
    ttft: list[float] = field(default_factory=list)
    ttft_error: list[float] = field(default_factory=list)
    cpu_s: float = 0.0

    def add(self, streams: list[Stream], cpu_s: float) -> None:
        self.cpu_s += cpu_s
        for stream in streams:
            tokens = stream.tokens()
            for (read, _, sent), (next_read, _, next_sent) in pairwise(tokens):
                self.itl.append(abs((next_read - read) - (next_sent - sent)) / 1e6)
            read, arrived, sent = tokens[0]
            self.ttft.append((read - stream.sent_ns) / 1e6)
            self.ttft_error.append(((read - stream.sent_ns) - (sent - arrived)) / 1e6)


def percentile(values: list[float], p: int) -> float:
    """Linear interpolation, as numpy's default."""
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[p - 1]


def compare(port: int, users: int, warm: int) -> dict[str, Errors]:
    results = {name: Errors() for name in CLIENTS}
    for turn in range(ROUNDS):
        for name in sorted(CLIENTS, reverse=bool(turn % 2)):
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                results[name].add(
                    *runner.run(measure(CLIENTS[name], port, users, warm))
                )
    return results


def show(users: int, results: dict[str, Errors]) -> None:
    for name, errors in results.items():
        itl = [percentile(errors.itl, 50), percentile(errors.itl, 99), max(errors.itl)]
        columns = [
            " / ".join(f"{value:7.3f}" for value in itl),
            " / ".join(f"{percentile(errors.ttft, p):7.2f}" for p in (50, 99)),
            " / ".join(f"{percentile(errors.ttft_error, p):7.2f}" for p in (50, 99)),
            f"{1000 * errors.cpu_s / (len(errors.itl) + len(errors.ttft)):.3f}",
        ]
        print(f"{users:>7} | {name:<11} | {' | '.join(columns)}", flush=True)


@dataclass
class Target:
    """`floor_ms` is the bare socket's in the same run, where `ms` is not from it."""

    what: str
    ms: float
    limit_ms: float
    floor_ms: float | None

    @property
    def met(self) -> bool:
        return self.ms < self.limit_ms

    def __str__(self) -> str:
        verdict = "met" if self.met else "not met"
        floor = "" if self.floor_ms is None else f" (bare socket {self.floor_ms:.3f})"
        return f"{self.what}: {self.ms:.3f} ms, < {self.limit_ms:g}: {verdict}{floor}"


def targets(one: dict[str, Errors], many: dict[str, Errors]) -> list[Target]:
    itl_ms = [
        {name: percentile(errors.itl, 99) for name, errors in level.items()}
        for level in (one, many)
    ]
    ttft_ms = {name: percentile(errors.ttft, 50) for name, errors in many.items()}
    later_ms = ttft_ms["and decoding"] - ttft_ms["bare socket"]
    found = [
        Target(
            f"ITL error p99, {streams}",
            level["and decoding"],
            limit_ms,
            level["bare socket"],
        )
        for streams, limit_ms, level in zip(
            ("1 stream", "64 streams"), (1, 2), itl_ms, strict=True
        )
    ]
    what = "TTFT p50, 64 warm starts, above the bare socket"
    return [*found, Target(what, later_ms, 2, None)]


def main() -> int:
    """The exit status is 1 when a target is not met."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = int(server.stdout.readline())
            print("All in ms but the last: CPU seconds per 1,000 tokens.")
            print("streams | client      | ITL error p50 / p99 / max   |", end=" ")
            print("TTFT p50 / p99    | its error p50/p99 | CPU", flush=True)
            show(1, one := compare(port, 1, warm=4))
            show(64, many := compare(port, 64, warm=2))
        finally:
            server.terminate()
    print(*(verdicts := targets(one, many)), sep="\n")
    return 0 if all(target.met for target in verdicts) else 1


if __name__ == "__main__":
    if "--serve" in sys.argv:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())
    else:
        sys.exit(main())
