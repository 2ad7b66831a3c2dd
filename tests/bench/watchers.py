"""A hundred watchers of one run; by hand: `python tests/bench/watchers.py [postgres]`.

The whole product runs in processes of its own on the simulated endpoint. Every watcher
is a plain HTTP client that reads the run's event stream to its end. On SQLite, or with
`postgres` on a PostgreSQL that it starts itself.
"""

import asyncio
import contextlib
import re
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import httpx
import psycopg

from tests import postgres
from tests.live_site import running_site

WATCHERS = 100
SEQ = re.compile(rb"^id: (\d+)$", re.MULTILINE)


async def watch(client, path):
    body = b""
    async with client.stream("GET", path) as stream:
        async for part in stream.aiter_raw():
            body += part
    return [int(seq) for seq in SEQ.findall(body)], b"event: done" in body


async def watch_all(site, slug, url):
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=site.url, limits=limits, timeout=60, trust_env=False
    ) as client:
        path = f"/lab/runs/{slug}/events"
        before = connections(url)
        tasks = [asyncio.create_task(watch(client, path)) for _ in range(WATCHERS)]
        await asyncio.sleep(2)
        during = await asyncio.to_thread(connections, url)
        return before, during, await asyncio.gather(*tasks)


def connections(url):
    """Open connections to the site's database; None for SQLite."""
    if not url:
        return None
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        ).fetchone()[0]


def cpu_s(pid):
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(ticks[11]) + int(ticks[12])) / 100


def main():
    with contextlib.ExitStack() as stack:
        asked = sys.argv[1] if len(sys.argv) > 1 else ""
        server = (
            stack.enter_context(postgres.server()) if asked == "postgres" else asked
        )
        site = stack.enter_context(running_site(server))
        slug = site.run(max_tokens="512", prompt="Tell me everything.")
        site.wait_for_tokens(slug, 4)
        url = site.environment.get("DATABASE_URL", "")
        started, used = time.monotonic(), cpu_s(site.pid("web"))
        before, during, seen = asyncio.run(watch_all(site, slug, url))
        print(f"{WATCHERS} watchers on {'PostgreSQL' if url else 'SQLite'}")
        kinds = Counter(tuple(seqs) for seqs, _ in seen)
        (seqs, alike), *_ = kinds.most_common(1)
        in_order = seqs == tuple(range(1, len(seqs) + 1))
        print(f"{alike} saw the same {len(seqs)} batches, in order: {in_order}")
        print(f"{sum(done for _, done in seen)} were told the end")
        if url:
            print(f"database connections: {before} before, {during} while they watch")
        took = time.monotonic() - started
        print(f"web CPU {cpu_s(site.pid('web')) - used:.1f} s of {took:.0f} s")
        met = alike == WATCHERS and in_order and (during or 0) <= (before or 0) + 2
        print("met" if met else "not met")
        return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
