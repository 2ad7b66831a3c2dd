"""Load clients beside each other; by hand: `python tests/bench/peers.py [STREAMS ...]`.

Each client is a process of its own. A server in another one sends one token per 30 ms
and stream in vLLM's wire format and keeps its own stamps: they are the truth. Reported
are TTFT and ITL as each client tells them, less the truth, and the CPU it spent.
aiohttp may be in this Python or in that of REAL_VLLM_HOME, where `vllm bench serve` is
too; what is missing is left out. Run it alone: the bare socket says how busy it was.
"""

import asyncio
import gc
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.token_server import LAST_CHUNK, TOKENS, numbers, run

ROOT = Path(__file__).parents[2]
SERVER = Path(__file__).with_name("token_server.py")
VLLM_HOME = Path(
    os.environ.get("REAL_VLLM_HOME", Path(tempfile.gettempdir()) / "real-vllm")
)
VLLM_PYTHON = VLLM_HOME / "venv/bin/python"
ROUNDS = {1: 10, 64: 4, 256: 2}
"""Measured rounds of requests by the number of streams; one more warms up."""

BODY = json.dumps(
    {
        "model": "m",
        "messages": [{"role": "user", "content": "Say w."}],
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
    }
).encode()
IS_TOKEN = b'"content":"w"'


class Bare(asyncio.Protocol):
    """The floor: nothing but a stamp per token."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def ask(self, port: int) -> asyncio.Future[None]:
        self.done = asyncio.get_running_loop().create_future()
        self.stamps = [time.perf_counter_ns()]
        self.transport.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (port, len(BODY), BODY)
        )
        return self.done

    def data_received(self, data: bytes) -> None:
        self.stamps += [time.perf_counter_ns()] * data.count(IS_TOKEN)
        if data.endswith(LAST_CHUNK):
            self.done.set_result(None)


async def bare_client(port: int, users: int, rounds: int) -> list[list[int]]:
    loop = asyncio.get_running_loop()

    async def live() -> list[list[int]]:
        _, one = await loop.create_connection(Bare, "127.0.0.1", port)
        found = []
        for _ in range(rounds + 1):
            await one.ask(port)
            found.append(one.stamps)
        return found[1:]

    everyone = await asyncio.gather(*(live() for _ in range(users)))
    return [stamps for found in everyone for stamps in found]


async def aiohttp_client(port: int, users: int, rounds: int) -> list[list[int]]:
    import aiohttp

    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def live() -> list[list[int]]:
        found = []
        for _ in range(rounds + 1):
            stamps = [time.perf_counter_ns()]
            async with session.post(url, data=BODY) as answer:
                async for data in answer.content.iter_any():
                    now_ns = time.perf_counter_ns()
                    stamps += [now_ns] * data.count(IS_TOKEN)
            found.append(stamps)
        return found[1:]

    async with session:
        everyone = await asyncio.gather(*(live() for _ in range(users)))
    return [stamps for found in everyone for stamps in found]


OWN_CLIENTS = {"bare": bare_client, "aiohttp": aiohttp_client}


def client(name: str, port: str, users: str, rounds: str, path: str) -> None:
    gc.freeze()
    streams = run(OWN_CLIENTS[name](int(port), int(users), int(rounds)))
    Path(path).write_text(json.dumps(numbers(streams)))


@dataclass
class Peer:
    """`command` for a port, users, rounds and a file; what that then holds."""

    name: str
    command: object
    read: object


def ours(port, users, rounds, path):
    return [
        *(sys.executable, "-m", "interview.measure", f"http://127.0.0.1:{port}"),
        *("--model", "m", "--prompt", "Say w.", "--users", users, "--warmup", users),
        *("--requests", users * rounds, "--max-tokens", TOKENS, "--json", path),
    ]


def read_ours(told):
    requests = told["requests"]
    assert all(request["status"] == "completed" for request in requests)
    return {
        "ttft_ms": [request["ttft_ms"] for request in requests],
        "itl_ms": [gap for request in requests for gap in request["itl_ms"]],
    }


def vllm_bench(port, users, rounds, path):
    return [
        *(VLLM_PYTHON.with_name("vllm"), "bench", "serve", "--backend", "openai-chat"),
        *("--base-url", f"http://127.0.0.1:{port}", "--endpoint"),
        *("/v1/chat/completions", "--model", "m", "--tokenizer"),
        *(VLLM_HOME / "tiny-qwen3", "--dataset-name", "random", "--disable-tqdm"),
        *("--random-input-len", 16, "--random-output-len", TOKENS, "--ignore-eos"),
        *("--num-prompts", users * rounds, "--max-concurrency", users),
        *("--num-warmups", users, "--save-result", "--save-detailed"),
        *("--result-dir", path.parent, "--result-filename", path.name),
    ]


def read_vllm_bench(told):
    assert told["completed"] == len(told["ttfts"])
    return {
        "ttft_ms": [ttft * 1000 for ttft in told["ttfts"]],
        # Its list starts with the gap between the role chunk and the first token.
        "itl_ms": [gap * 1000 for gaps in told["itls"] for gap in gaps[1:]],
    }


def own(name, python):
    def command(port, users, rounds, path):
        return [python, __file__, "--client", name, port, users, rounds, path]

    return command


def peers() -> list[Peer]:
    found = [
        Peer("ours", ours, read_ours),
        Peer("bare asyncio", own("bare", sys.executable), lambda told: told),
    ]
    here = importlib.util.find_spec("aiohttp")
    if here or VLLM_PYTHON.exists():
        python = sys.executable if here else VLLM_PYTHON
        found.append(Peer("bare aiohttp", own("aiohttp", python), lambda told: told))
    else:
        print("bare aiohttp: left out, it is not installed")
    if VLLM_PYTHON.exists():
        found.append(Peer("vllm bench serve", vllm_bench, read_vllm_bench))
    else:
        print(f"vllm bench serve: left out, there is no {VLLM_PYTHON}")
    return found


def cpu_s(pid: int) -> float:
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")


def measured(peer: Peer, users: int, rounds: int):
    """The client's numbers, the truth, and the CPU seconds between begin and end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "told.json"
        serving = [sys.executable, SERVER, users, users * rounds]
        with subprocess.Popen(
            [str(part) for part in serving], stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                port = server.stdout.readline().strip()
                asking = peer.command(port, users, rounds, path)
                with subprocess.Popen(
                    [str(part) for part in asking],
                    cwd=ROOT,
                    env=os.environ | {"HF_HUB_OFFLINE": "1"},
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                ) as asker:
                    assert server.stdout.readline() == "begin\n"
                    before_s = cpu_s(asker.pid)
                    assert server.stdout.readline() == "end\n"
                    spent_s = cpu_s(asker.pid) - before_s
                    truth = json.loads(server.stdout.readline())
                assert asker.returncode == 0, f"{peer.name} failed"
            finally:
                server.terminate()
        return peer.read(json.loads(path.read_text())), truth, spent_s


def percentile(values: list[float], p: int) -> float:
    """Linear interpolation, as numpy's default."""
    return statistics.quantiles(values, n=100, method="inclusive")[p - 1]


def show(peer: Peer, users: int) -> None:
    rounds = ROUNDS.get(users, 2)
    told, truth, spent_s = measured(peer, users, rounds)
    assert len(told["itl_ms"]) == len(truth["itl_ms"]), peer.name
    columns = [f"{users:>7}", f"{peer.name:<16}"]
    for name, p in (("ttft_ms", 50), ("ttft_ms", 99), ("itl_ms", 99)):
        true_ms = percentile(truth[name], p)
        off_ms = percentile(told[name], p) - true_ms
        columns.append(f"{off_ms:+8.2f} of {true_ms:7.2f}")
    columns.append(f"{1000 * spent_s / (users * rounds * TOKENS):.3f}")
    print(" | ".join(columns), flush=True)


def main(levels: list[int]) -> None:
    found = peers()
    print("In ms: what a client tells less the truth. CPU: seconds per 1,000 tokens.")
    print(
        "streams | client           | TTFT p50            | TTFT p99           ", end=""
    )
    print(" | ITL p99             | CPU")
    for users in levels:
        for peer in found:
            show(peer, users)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--client", *rest]:
            client(*rest)
        case levels:
            main([int(level) for level in levels] or [1, 64, 256])
