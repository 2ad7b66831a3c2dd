"""2,000 cards and 100,000 reviews of one person: what their pages cost. By hand:

python -m tests.bench.study_2000 [--postgres] [--explain]

Server time is that of the whole request in this process, without the network; the
number of queries is compared with that after a tenth of the reviews. The CPU time is
that of this process alone: it is the wall time of a machine that does nothing else,
but for what PostgreSQL does. The reviews are written by processes of their own, so that
this one holds what a web process holds.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from tests.bench.cards_2000 import GOOD, write_cards

REVIEWS = 100_000
MOST_MS = 50
ROUNDS = 15
PAGES = {
    "due queue": "/practice/",
    "progress": "/progress/",
    "with a day": f"/progress/?by={date.today() + timedelta(days=42)}&level=L3",
    "last weeks": "/progress/recalled/weeks/",
    "search": "/search/?q=prefill+decode",
}
GRADES = ("missed", "partly", *["solid"] * 5)
DAY = timedelta(days=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("--write", nargs=3, metavar=("FOLDER", "FROM", "TO"))
    given = parser.parse_args()
    if given.write:
        folder, *reviews = given.write
        return write(Path(folder), *map(int, reviews))
    if given.postgres and "DATABASE_URL" not in os.environ:
        return on_postgres()
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder), given.explain)


def on_postgres():
    from tests import postgres

    with postgres.server() as url:
        environment = os.environ | {"DATABASE_URL": url}
        command = [sys.executable, "-m", "tests.bench.study_2000", *sys.argv[1:]]
        return subprocess.call(command, env=environment)


def measure(folder, explains):
    set_up(folder)
    from django.db import connection

    apart(folder, 0, REVIEWS // 10)
    few = {page: queries_of(url) for page, url in PAGES.items()}
    apart(folder, REVIEWS // 10, REVIEWS)
    analyze(connection)
    print(f"{connection.vendor}: 2,000 cards, {REVIEWS:,} reviews")
    print(f"{'page':12}{'wall ms':>9}{'CPU ms':>9}{'bound':>7}{'queries':>9}")
    is_met = True
    for page, url in PAGES.items():
        wall, cpu = zip(*(timed(url) for _ in range(ROUNDS)), strict=True)
        wall_ms, cpu_ms = statistics.median(wall), statistics.median(cpu)
        count = queries_of(url)
        is_met = is_met and wall_ms < MOST_MS and count == few[page]
        said = "" if wall_ms < MOST_MS else "too slow"
        said += "" if count == few[page] else f" {few[page]} after a tenth"
        numbers = f"{wall_ms:9.1f}{cpu_ms:9.1f}{MOST_MS:7}{count:9}"
        print(f"{page:12}{numbers}  {said}", flush=True)
    if explains:
        explain(connection)
    return 0 if is_met else 1


def apart(folder, before, until):
    command = [sys.executable, "-m", "tests.bench.study_2000", "--write", folder]
    subprocess.run([*command, str(before), str(until)], check=True)


def write(folder, before, until):
    set_up(folder)
    from interview.accounts.models import User

    practice = Practice(User.objects.local_owner(), datetime.now(UTC), before)
    practice.write(until - before)


def set_up(folder):
    content = folder / "content"
    if not content.exists():
        shutil.copytree(GOOD, content)
        write_cards(content, random.Random(1))
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "interview.settings",
        "PREFILL_DATA": str(folder),
        "LAB_URL": "http://127.0.0.1:9",
        "LAB_MODEL": "a-model-simulated",
        "ALLOWED_HOSTS": "testserver",
    }
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.CONTENT_ROOT, settings.CONTENT_PATHS = content, []
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SERVESTATIC_AUTOREFRESH = settings.SERVESTATIC_USE_FINDERS = True
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
    }
    call_command("migrate", verbosity=0)


class Practice:
    """The log of somebody who has practised for years, written in one go."""

    def __init__(self, person, now, written):
        from interview.study.models import Plan
        from interview.web.content import library

        self.person, self.now, self.written = person, now, written
        self.random = random.Random(2 + written)
        self.plan = Plan.objects.settle(person, daily_cap=30)
        self.library = library()

    def write(self, reviews):
        from interview.study.models import Act, Attempt, CardMark
        from interview.study.models.rebuild import rebuild_all
        from interview.web.models import CardVersion

        cards = list(self.library.cards.values())
        acts, place = [], self.written
        while len(acts) < reviews:
            place += 1
            card = cards[place % len(cards)]
            rungs = ["", *(rung.id for rung in card.follow_ups)]
            at = self.now - self.random.uniform(2, 900) * DAY
            acts += self.looks(card, self.random.choice(rungs), at)
        for card in cards:
            CardVersion.objects.keep(card)
        Act.objects.bulk_create(acts[:reviews], batch_size=2000)
        self.written += len(acts[:reviews])
        marks = [
            CardMark(user=self.person, card_id=c.id, note=f"Prefill and {c.id}.")
            for c in cards[:300]
        ]
        CardMark.objects.bulk_create(marks, ignore_conflicts=True)
        Attempt.objects.bulk_create(
            Attempt(
                user=self.person, card_id=act.card_id, text="It decodes.", at=act.at
            )
            for act in acts[: reviews // 10]
        )
        rebuild_all(Act.objects.all(), self.person)

    def looks(self, card, rung_id, at):
        """Ten grades of one item, each some days after the one before; none of today,
        so that all of the day's queue is still to be asked."""
        from interview.study.item_name import item_name
        from interview.study.models import Act

        text = card.item_hashes()[item_name(card.id, rung_id)]
        for look in range(10):
            if at > self.now - DAY:
                return
            yield Act(
                user=self.person,
                kind="grade",
                at=at,
                card_id=card.id,
                rung_id=rung_id,
                grade=self.random.choice(GRADES),
                item_hash=text,
                card_version=card.version,
                retention=0.9,
                zone="UTC",
                recall=self.random.uniform(0.7, 1) if look else None,
            )
            at += self.random.uniform(0.5, 2) * (look + 1) ** 1.5 * DAY


@lru_cache
def client():
    from django.test import Client

    return Client()


def ask(url):
    response = client().get(url)
    assert response.status_code == 200, (url, response.status_code)
    return response


def timed(url):
    wall, cpu = time.perf_counter(), time.process_time()
    ask(url)
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


def queries_of(url):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    ask(url)
    with CaptureQueriesContext(connection) as queries:
        ask(url)
    return len(queries)


def analyze(connection):
    """What a database does by itself in the minutes after so many rows."""
    is_postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if is_postgres else "ANALYZE")


def explain(connection):
    """The plan of each query of these pages that reads the practice of a person."""
    from django.test.utils import CaptureQueriesContext

    word = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    for page, url in PAGES.items():
        with CaptureQueriesContext(connection) as queries:
            ask(url)
        for query in queries:
            sql = query["sql"]
            if not sql.startswith("SELECT") or '"study_' not in sql:
                continue
            print(f"\n{page}, {float(query['time']) * 1000:.0f} ms: {sql[:300]}")
            with connection.cursor() as cursor:
                cursor.execute(f"{word} {sql}")
                for row in cursor.fetchall():
                    print("   ", row[-1])


if __name__ == "__main__":
    sys.exit(main())
