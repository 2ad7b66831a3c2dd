"""What a load of 64 users and 20,000 tokens takes: memory of the lab worker and of its
measuring process, and room in the database. By hand:
`python tests/bench/lab_memory.py [postgres]`.

The whole product runs in processes of its own on its simulated endpoint, at its own
speed (two minutes), on SQLite or on a PostgreSQL that is started for it.
"""

import contextlib
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import psycopg

from tests import postgres
from tests.live_site import ENDED, eventually, running_site

LOAD = {
    "prompt": "",
    "prompt_tokens": "512",
    "max_tokens": "105",
    "load": "custom",
    "levels": "64",
    "repeat": "1",
}
MOST_MB = 200
MOST_DATABASE_MB = 2
"""Per 10,000 tokens."""
MB = 1e6


def peak_mb(pid):
    """The most memory it ever had, with that of its libraries; None when gone."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        kilobytes = [line.split()[1] for line in lines if line.startswith("VmHWM")]
        return int(kilobytes[0]) * 1024 / MB if kilobytes else None


def database_bytes(site):
    if url := site.environment.get("DATABASE_URL"):
        with psycopg.connect(url, autocommit=True) as connection:
            size = "SELECT pg_database_size(current_database())"
            return connection.execute(size).fetchone()[0]
    with contextlib.closing(sqlite3.connect(site.data / "prefill.sqlite3")) as file:
        return pages(file, "page_count") * pages(file, "page_size")


def pages(file, pragma):
    return file.execute(f"PRAGMA {pragma}").fetchone()[0]


def measured(site):
    """Slug of the load, and the peaks of worker and measuring process in MB."""
    worker = site.pid("worker")
    print(f"worker before the load: {peak_mb(worker):.0f} MB")
    slug = site.run(**LOAD)
    child, peaks = site.pid("measure"), {}

    def look():
        for name, pid in (("worker", worker), ("child", child)):
            peaks[name] = peak_mb(pid) or peaks.get(name)
        return site.status(slug) in ENDED

    eventually(look, 600, lambda: "the load did not end")
    return slug, peaks


def main():
    with contextlib.ExitStack() as stack:
        wants_server = sys.argv[1:] == ["postgres"]
        url = stack.enter_context(postgres.server()) if wants_server else ""
        site = stack.enter_context(running_site(url))
        before = database_bytes(site)
        slug, peaks = measured(site)
        grown_mb = (database_bytes(site) - before) / MB
        report = site.report(slug)
        tokens = report["summary"]["tokens"]
        per_10_000 = grown_mb * 10_000 / tokens
        both = sum(peaks.values())
        print(f"{report['run']['status']}: 64 users, {tokens:,} tokens")
        print(
            f"worker {peaks['worker']:.0f} MB and child {peaks['child']:.0f} MB at most"
        )
        print(f"together {both:.0f} MB, below {MOST_MB} wanted")
        print(
            f"database: {grown_mb:.2f} MB more, {per_10_000:.2f} MB per 10,000 tokens"
        )
        print(f"below {MOST_DATABASE_MB} MB wanted")
        met = both < MOST_MB and per_10_000 < MOST_DATABASE_MB
        print("met" if met else "not met")
        return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
