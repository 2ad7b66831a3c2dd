"""The whole product with a second web process, for the benchmarks of rooms."""

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests import postgres
from tests.live_site import ROOT, eventually, free_port, listens, running_site

MODEL = "Qwen/Qwen3-30B-A3B-simulated"


@contextlib.contextmanager
def spark(speed):
    """The simulated endpoint, so many times as fast."""
    port = free_port()
    command = [sys.executable, "-m", "interview.spark", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--speed", str(speed)], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        url = f"http://127.0.0.1:{port}"
        eventually(lambda: listens(f"{url}/health"), 30, lambda: "no simulator")
        yield url
    finally:
        process.kill()
        process.wait()


class SecondWeb:
    """One more web process of the same installation, on a port of its own."""

    def __init__(self, site):
        first = Path(f"/proc/{site.pid('web')}/environ").read_bytes()
        pairs = (os.fsdecode(pair) for pair in first.split(b"\0") if pair)
        self.environment = dict(pair.split("=", 1) for pair in pairs)
        self.port = free_port()
        self.start()

    def start(self):
        command = [sys.executable, "-m", "interview.serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment)

    def wait(self):
        eventually(self.answers, 60, lambda: "the second web process does not answer")

    def answers(self):
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"http://127.0.0.1:{self.port}/join/").status_code == 200

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def two_webs(speed, **settings):
    """Site, its second web process, and the address of its PostgreSQL database."""
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(postgres.server())
        endpoint = stack.enter_context(spark(speed))
        known = {"LAB_URL": endpoint, "LAB_MODEL": MODEL, "LAB_MAX_WATCHERS": 5000}
        site = stack.enter_context(running_site(url, **known, **settings))
        site.client.timeout = 60  # of what must wait while hundreds come at once
        second = SecondWeb(site)
        stack.callback(second.kill)
        second.wait()
        yield site, second, site.environment["DATABASE_URL"]


def memory_bytes(pid):
    """What is the process's own, in bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    private = [line.split()[1] for line in lines if line.startswith("Private_")]
    return sum(map(int, private)) * 1024


def percentile(values, share):
    """None of nothing."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def shown(rows):
    """A table of what was measured, wanted and reached; whether all was reached."""
    for what, found, wanted, met in rows:
        print(f"{what:<52}{found:>22}{wanted:>20}  {'met' if met else 'NOT MET'}")
    return all(met for *_, met in rows)


async def gathered(works, at_once):
    """Results of many, so many at a time."""
    free = asyncio.Semaphore(at_once)

    async def one(work):
        async with free:
            return await work

    return await asyncio.gather(*(one(work) for work in works))
