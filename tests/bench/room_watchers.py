"""Five hundred watchers of one run, over two web processes on PostgreSQL; by hand:
`python tests/bench/room_watchers.py [--watchers 500] [--speed 7.5]`.

The whole product runs in processes of its own. 64 users load the simulated endpoint
(`--speed` until it gives 2,000 tokens a second; the table tells the rate), 50 seats of
a room watch the run, ten streams a seat, half of them at each web process. How to read
the table: a latency is from the doorbell, as another listener of the same database
hears it, to the client that has the whole batch; the client has a share of the cores,
too. Memory is private memory of both web processes, with all watchers against none.
Pages are asked one after the other, idle, then under the load alone, then with the
watchers: only their ratio means something.
"""

import argparse
import asyncio
import json
import re
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import httpx
import psycopg

from interview.lab.live.bell import CHANNEL
from tests.bench.room_client import ask, field, join, open_room
from tests.bench.room_site import (
    gathered,
    memory_bytes,
    percentile,
    shown,
    two_webs,
)
from tests.live_site import ENDED

SEATS = 50
PAGES = ["/lab/", "/cards/"]


class Doorbell(threading.Thread):
    """When each batch of a run was rung for, on the clock of this machine."""

    def __init__(self, url):
        super().__init__(daemon=True)
        self.url, self.rung, self.is_over = url, {}, False

    def run(self):
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            while not self.is_over:
                for note in connection.notifies(timeout=1):
                    if seq := json.loads(note.payload).get("seq"):
                        self.rung.setdefault(seq, time.monotonic())


def tokens_of(site):
    """What the engine says it has generated."""
    said = httpx.get(f"{site.environment['LAB_URL']}/metrics").text
    found = re.findall(r"^vllm:generation_tokens_total\{.*\} (.+)$", said, re.MULTILINE)
    return sum(map(float, found))


class Watcher:
    def __init__(self):
        self.heard = []
        """(seq, when) in the order of arrival."""
        self.is_done = False

    def take(self, frame, now):
        if seq := field(frame, b"id"):
            self.heard.append((int(seq), now))
        elif field(frame, b"event") == b"done":
            self.is_done = True

    async def watch(self, port, path, cookies):
        await ask(port, path, cookies=cookies, on_frame=self.take)


class Pages:
    """Asks pages one after the other; `took` holds seconds by phase."""

    def __init__(self, ports):
        self.ports, self.took, self.phase = ports, {}, "idle"

    async def keep_asking(self):
        number = 0
        while True:
            port, path = self.ports[number % 2], PAGES[number // 2 % 2]
            began = time.monotonic()
            answer = await ask(port, path)
            assert answer.status == 200, (path, answer.status)
            self.took.setdefault(self.phase, []).append(time.monotonic() - began)
            number += 1
            await asyncio.sleep(0.05)

    def p95_ms(self, phase):
        return 1000 * percentile(self.took[phase], 0.95)


def connections(url):
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        ).fetchone()[0]


async def status_of(site, slug):
    return await asyncio.to_thread(site.status, slug)


async def measured(site, second, url, options):
    ports, found = [site.port, second.port], {}
    pids = [site.pid("web"), second.process.pid]
    pages = Pages(ports)
    for path in PAGES * 3:
        for port in ports:
            await ask(port, path)
    asking = asyncio.create_task(pages.keep_asking())
    await asyncio.sleep(options.seconds)
    pages.phase = "between"
    slug = await asyncio.to_thread(start, site)
    room, code = await open_room(site.port, run=slug)
    names = [f"Seat {n}" for n in range(SEATS - 1)]
    seats = await gathered(
        [join(ports[n % 2], code, m) for n, m in enumerate(names)], 4
    )
    await asyncio.to_thread(site.wait_for_tokens, slug, 64)
    pages.phase = "load"
    await asyncio.sleep(options.seconds)
    pages.phase = "between"
    # As many pages at once as a pool of connections takes, so that it is full before.
    await gathered([ask(port, PAGES[0]) for port in ports * 16], 32)
    found["connections before"] = connections(url)
    before = sum(map(memory_bytes, pids))
    bell = Doorbell(url)
    bell.start()
    watchers = [Watcher() for _ in range(options.watchers)]
    watching = [
        asyncio.create_task(
            each.watch(
                ports[n % 2], f"{room}runs/{slug}/events", seats[n // 2 % len(seats)]
            )
        )
        for n, each in enumerate(watchers)
    ]
    while not all(each.heard for each in watchers):
        await asyncio.sleep(0.1)
        assert not asking.done(), asking.exception()
    await asyncio.sleep(2)
    pages.phase, found["from"] = "watched", max(bell.rung)
    used_s = sum(map(cpu_s, pids))
    tokens, began = await asyncio.to_thread(tokens_of, site), time.monotonic()
    await asyncio.sleep(options.seconds)
    now = await asyncio.to_thread(tokens_of, site)
    found["tokens_per_s"] = (now - tokens) / (time.monotonic() - began)
    found["to"] = max(bell.rung)
    found["cpu_s"] = sum(map(cpu_s, pids)) - used_s
    found["memory"] = sum(map(memory_bytes, pids)) - before
    found["connections"] = connections(url)
    pages.phase = "end"
    asking.cancel()
    if await status_of(site, slug) in ENDED:
        sys.exit("The run ended too early: lower --speed or --seconds.")
    await asyncio.to_thread(site.post, f"/lab/runs/{slug}/stop/")
    await asyncio.wait_for(asyncio.gather(*watching), 60)
    bell.is_over = True
    await asyncio.to_thread(bell.join)
    return found, watchers, bell, pages


def start(site):
    fields = {"prompt": "", "prompt_tokens": "64", "max_tokens": "512"}
    return site.run(**fields, load="custom", levels="64", repeat="5")


def cpu_s(pid):
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(ticks[11]) + int(ticks[12])) / 100


def told(found, watchers, bell, pages):
    late_ms = [
        1000 * (now - bell.rung[seq])
        for each in watchers
        for seq, now in each.heard
        if found["from"] < seq <= found["to"] and seq in bell.rung
    ]
    seqs = [[seq for seq, _ in each.heard] for each in watchers]
    last = max(map(max, seqs))
    in_order = sum(each == list(range(1, last + 1)) for each in seqs)
    done = sum(each.is_done for each in watchers)
    each_kb = found["memory"] / len(watchers) / 1000
    idle, loaded, watched = map(pages.p95_ms, ("idle", "load", "watched"))
    more = found["connections"] - found["connections before"]
    rate, p99 = found["tokens_per_s"], percentile(late_ms, 0.99)
    count = len(watchers)
    print(
        f"{count} watchers, {last} batches; doorbell to client: "
        f"p50 {percentile(late_ms, 0.5):.0f}, p90 {percentile(late_ms, 0.9):.0f}, "
        f"most {max(late_ms):.0f} ms"
    )
    each_us = 1e6 * found["cpu_s"] / len(late_ms)
    print(f"web CPU {found['cpu_s']:.1f} s: {each_us:.0f} microseconds a batch sent")
    print(
        f"pages p95: idle {idle:.0f} ms, load alone {loaded:.0f} ms, "
        f"with watchers {watched:.0f} ms"
    )
    return shown(
        [
            (
                "every batch, in order",
                f"{in_order} of {count}",
                "all",
                in_order == count,
            ),
            ("were told the end", f"{done} of {count}", "all", done == count),
            ("tokens per second", f"{rate:,.0f}", "2,000", rate >= 2000),
            ("doorbell to client p99", f"{p99:.0f} ms", "under 250", p99 < 250),
            ("more database connections", more, "at most 4", more <= 4),
            ("memory per watcher", f"{each_kb:.0f} kB", "under 300", each_kb < 300),
            (
                "pages p95 against idle",
                f"{watched / idle:.1f} times",
                "under 3",
                watched < 3 * idle,
            ),
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--speed", type=float, default=7.5)
    parser.add_argument("--seconds", type=int, default=30, help="of each phase")
    options = parser.parse_args()
    settings = {"LAB_MAX_SEATS": SEATS}
    settings |= {"LAB_MAX_SECONDS": 3600, "LAB_MAX_RUN_SECONDS": 3600}
    with two_webs(options.speed, **settings) as (site, second, url):
        met = told(*asyncio.run(measured(site, second, url, options)))
    print("met" if met else "not met")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
