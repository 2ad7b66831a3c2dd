"""Load clients beside each other, by hand and alone on a machine:

    python tests/bench/peers.py                       # four clients at 1, 64, 256
    python tests/bench/peers.py --repeat 3 --levels 256
    python tests/bench/peers.py --clients floor,ours,guidellm,aiperf

The clients: a bare epoll loop (the floor), bare aiohttp, ours, `vllm bench serve`,
GuideLLM, AIPerf; see peer_commands.py for where they come from. The first two read
each event with json.loads and do no more. Each is a process of its own, with warm
connections; the server in another sends one token per 30 ms and stream in vLLM's wire
format and keeps its own stamps: they are the truth. Reported is what a client tells
less the truth, and the CPU that its processes spent from the first measured request
to the end of the last, user and system. With --repeat the clients take turns, and the
median and the best of each are shown.
"""

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.peer_commands import Peer, peers
from tests.bench.token_server import TOKENS

ROOT = Path(__file__).parents[2]
SERVER = Path(__file__).with_name("token_server.py")
USUAL = "floor,aiohttp,ours,vllm"
WITHIN_S = 120


def rounds(users: int) -> int:
    """Measured requests of each user; one more warms up."""
    return 3 if users == 1 else 2


@dataclass(frozen=True, slots=True)
class Row:
    """Errors in ms, of the percentiles; None when a client gives no such list."""

    ttft_p50: float
    ttft_p99: float
    itl_p99: float | None
    cpu_s: float
    """Per 1,000 tokens."""
    load_average: float


def cpu_s(session: int) -> float:
    """Of all its processes, those that have ended included."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def measured(peer: Peer, users: int) -> Row:
    requests = users * rounds(users)
    with tempfile.TemporaryDirectory() as folder:
        serving = [sys.executable, str(SERVER), str(users), str(requests)]
        with subprocess.Popen(serving, stdout=subprocess.PIPE, text=True) as server:
            try:
                port = server.stdout.readline().strip()
                command = peer.command(port, users, requests, Path(folder))
                truth, spent_s = follow(server, [str(part) for part in command])
            finally:
                server.terminate()
        told = peer.read(Path(folder))
    return row(told, truth, spent_s / (requests * TOKENS) * 1000)


def follow(server: subprocess.Popen, command: list[str]) -> tuple[dict, float]:
    """What the server sent, and the CPU the client spent meanwhile."""
    with (
        tempfile.TemporaryFile("w+") as words,
        subprocess.Popen(
            command, cwd=ROOT, stdout=words, stderr=words, start_new_session=True
        ) as client,
    ):
        try:
            wait_for("begin", server, client)
            before_s = cpu_s(client.pid)
            wait_for("end", server, client)
            spent_s = cpu_s(client.pid) - before_s
            truth = json.loads(server.stdout.readline())
            client.wait(WITHIN_S)
            assert client.returncode == 0, f"it ended with {client.returncode}"
        except BaseException:
            client.kill()
            words.seek(0)
            print(words.read()[-2000:], file=sys.stderr)
            raise
    return truth, spent_s


def wait_for(word: str, server: subprocess.Popen, client: subprocess.Popen) -> None:
    """Until the server says it, unless the client has ended before."""
    for _ in range(WITHIN_S):
        if select.select([server.stdout], [], [], 1)[0]:
            assert server.stdout.readline().strip() == word
            return
        assert client.poll() is None, f"the client ended before the server's {word}"
    raise AssertionError(f"no {word} within {WITHIN_S} s")


def row(told: dict, truth: dict, spent_s: float) -> Row:
    def error(name: str, p: int) -> float:
        return percentile(told[name], p) - percentile(truth[name], p)

    # A client that leaves out requests or gaps would look better than it is. AIPerf has
    # no gap between two tokens that it read together.
    told["ttft_ms"] = told["ttft_ms"][-len(truth["ttft_ms"]) :]
    assert len(told["ttft_ms"]) == len(truth["ttft_ms"])
    has_gaps = told["itl_ms"] is not None
    assert not has_gaps or len(told["itl_ms"]) > 0.5 * len(truth["itl_ms"])
    return Row(
        error("ttft_ms", 50),
        error("ttft_ms", 99),
        error("itl_ms", 99) if has_gaps else None,
        spent_s,
        os.getloadavg()[0],
    )


def percentile(values: list[float], p: int) -> float:
    """Linear interpolation, as numpy's default."""
    return statistics.quantiles(values, n=100, method="inclusive")[p - 1]


def show(users: int, name: str, rows: list[Row]) -> None:
    columns = [f"{users:>7}", f"{name:<8}"]
    for field in ("ttft_p50", "ttft_p99", "itl_p99", "cpu_s"):
        values = [getattr(one, field) for one in rows]
        columns.append(f"{shown(field, values):>17}")
    columns.append(f"{max(one.load_average for one in rows):.1f}")
    print(" | ".join(columns), flush=True)


def shown(field: str, values: list[float | None]) -> str:
    if None in values:
        return "no list"
    form = "{:.3f}" if field == "cpu_s" else "{:+.2f}"
    median, best = statistics.median(values), min(values, key=abs)
    return f"{form} ({form})".format(median, best) if values[1:] else form.format(best)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--levels", default="1,64,256")
    parser.add_argument("--clients", default=USUAL)
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    asked = [peer for peer in peers() if peer.name in options.clients.split(",")]
    for peer in asked:
        if not peer.is_here:
            print(f"{peer.name} is left out: there is no {peer.program}")
    clients = [peer for peer in asked if peer.is_here]
    print(
        "Told less true, ms; CPU s per 1,000 tokens; the best of several in brackets."
    )
    heads = f"{'TTFT p50':>17} | {'TTFT p99':>17} | {'ITL p99':>17} | {'CPU':>17}"
    print(f"streams | client   | {heads} | load average")
    for users in [int(level) for level in options.levels.split(",")]:
        rows = defaultdict(list)
        for _ in range(options.repeat):
            for peer in clients:
                rows[peer.name].append(measured(peer, users))
        for name, found in rows.items():
            show(users, name, found)


if __name__ == "__main__":
    main()
