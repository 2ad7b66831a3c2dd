"""The two smallest load clients, for peers.py: a bare epoll loop (the floor), aiohttp.

Both stamp a read, then json.loads each of its events. Run as a process of its own, in
any Python: `peer_clients.py epoll|aiohttp PORT USERS ROUNDS FILE`. A first round more
warms up and is left out.
"""

import asyncio
import gc
import json
import select
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.token_server import LAST_CHUNK, numbers, run

BODY = json.dumps(
    {
        "model": "m",
        "messages": [{"role": "user", "content": "Say w."}],
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
    }
).encode()
STAGGER_S = 0.0003
"""Between the starts of two users, as ours: a burst would queue at the server."""


class Stream:
    """One request: stamps of t0 and of each token."""

    def __init__(self) -> None:
        self.stamps = [time.perf_counter_ns()]
        self.ahead = b""

    def feed(self, stamp_ns: int, read: bytes) -> None:
        *events, self.ahead = (self.ahead + read).split(b"\n\n")
        for event in events:
            data = event[event.index(b"data: ") + 6 :]
            if data == b"[DONE]":
                continue
            # Of bytes it would first look for their encoding, for as long again.
            choices = json.loads(data.decode())["choices"]
            if choices and choices[0]["delta"].get("content"):
                self.stamps.append(stamp_ns)


class Epoll:
    """One connection per user, one loop, nothing between it and the kernel."""

    def __init__(self, port: int, users: int, rounds: int) -> None:
        self.request = (
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (port, len(BODY), BODY)
        )
        self.rounds = rounds
        self.poll = select.epoll()
        self.done: dict[int, list[Stream]] = {}
        self.sockets: dict[int, socket.socket] = {}
        for _ in range(users):
            one = socket.create_connection(("127.0.0.1", port))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.poll.register(one, select.EPOLLIN)
            self.sockets[one.fileno()] = one
            self.done[one.fileno()] = []

    def run(self) -> list[list[int]]:
        left = len(self.sockets)
        waiting = list(self.sockets)
        while left:
            if waiting:
                self.ask(waiting.pop())
            for number, _ in self.poll.poll(STAGGER_S if waiting else -1):
                read = self.sockets[number].recv(65536)
                self.done[number][-1].feed(time.perf_counter_ns(), read)
                if not read.endswith(LAST_CHUNK):
                    continue
                if len(self.done[number]) <= self.rounds:
                    self.ask(number)
                else:
                    left -= 1
        return [s.stamps for streams in self.done.values() for s in streams[1:]]

    def ask(self, number: int) -> None:
        self.done[number].append(Stream())
        self.sockets[number].send(self.request)


async def aiohttp_client(port: int, users: int, rounds: int) -> list[list[int]]:
    import aiohttp

    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def live(user: int) -> list[list[int]]:
        await asyncio.sleep(user * STAGGER_S)
        found = []
        for _ in range(rounds + 1):
            stream = Stream()
            async with session.post(url, data=BODY) as answer:
                async for data in answer.content.iter_any():
                    stream.feed(time.perf_counter_ns(), data)
            found.append(stream.stamps)
        return found[1:]

    async with session:
        everyone = await asyncio.gather(*(live(user) for user in range(users)))
    return [stamps for found in everyone for stamps in found]


def main(name: str, port: str, users: str, rounds: str, path: str) -> None:
    gc.freeze()
    asked = (int(port), int(users), int(rounds))
    streams = Epoll(*asked).run() if name == "epoll" else run(aiohttp_client(*asked))
    Path(path).write_text(json.dumps(numbers(streams)))


if __name__ == "__main__":
    main(*sys.argv[1:])
