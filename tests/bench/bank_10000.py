"""10,000 interviews of 5 questions with 3 interviewers: what the bank costs. By hand:

python -m tests.bench.bank_10000 [--postgres] [--explain] [--interviews 10000]

Server time is that of the whole request in this process, without the network, for the
owner of the installation, who sees every interview. The number of queries is compared
with that after the first hundred interviews.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

INTERVIEWS, FIRST = 10_000, 100
KITS, QUESTIONS, PANEL, PEOPLE = 60, 5, 3, 40
MOST_MS = 100
ROUNDS = 20
AT_ONCE = 500
"""Interviews in one go."""
DAY = timedelta(days=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("--interviews", type=int, default=INTERVIEWS)
    given = parser.parse_args()
    if given.postgres and "DATABASE_URL" not in os.environ:
        return on_postgres()
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder), given)


def on_postgres():
    from tests import postgres

    with postgres.server() as url:
        environment = os.environ | {"DATABASE_URL": url}
        command = [sys.executable, "-m", "tests.bench.bank_10000", *sys.argv[1:]]
        return subprocess.call(command, env=environment)


def measure(folder, given):
    set_up(folder)
    from django.db import connection

    house = House(datetime.now(UTC))
    house.interview(FIRST)
    analyze(connection)
    pages = pages_of(house.last)
    few = {page: queries_of(url) for page, url in pages.items()}
    for start in range(FIRST, given.interviews, AT_ONCE):
        house.interview(min(AT_ONCE, given.interviews - start))
    analyze(connection)
    pages = pages_of(house.last)
    print(f"{connection.vendor}: {house.count:,} interviews, {house.scores:,} scores")
    print(f"{'page':24}{'wall ms':>9}{'CPU ms':>9}{'bound':>7}{'queries':>9}")
    is_met = True
    for page, url in pages.items():
        wall, cpu = zip(*(timed(url) for _ in range(ROUNDS)), strict=True)
        wall_ms, cpu_ms = statistics.median(wall), statistics.median(cpu)
        count = queries_of(url)
        is_met = is_met and wall_ms < MOST_MS and count == few[page]
        said = "" if wall_ms < MOST_MS else "too slow"
        said += "" if count == few[page] else f" {few[page]} after {FIRST}"
        numbers = f"{wall_ms:9.1f}{cpu_ms:9.1f}{MOST_MS:7}{count:9}"
        print(f"{page:24}{numbers}  {said}", flush=True)
    if given.explain:
        explain(connection, pages)
    return 0 if is_met else 1


def pages_of(last):
    """The address of each page; of an interview it is the one that was made last."""
    one = f"/bank/interviews/{last.interview}/"
    return {
        "bank list": "/bank/",
        "bank list, by words": "/bank/?q=decode",
        "card": f"/bank/cards/{last.card}/",
        "kits": "/bank/kits/",
        "kit": f"/bank/kits/{last.kit}/",
        "interviews": "/bank/interviews/",
        "interviews, page 100": "/bank/interviews/?page=100",
        "interview": one,
        "console": f"{one}console/1/",
        "review": f"{one}review/",
        "debrief": f"{one}debrief/",
        "audit": f"{one}audit/",
    }


def set_up(folder):
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
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SERVESTATIC_AUTOREFRESH = settings.SERVESTATIC_USE_FINDERS = True
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
    }
    call_command("migrate", verbosity=0)


@dataclass(frozen=True, slots=True)
class Last:
    interview: object
    kit: object
    card: str


class House:
    """A house that has interviewed for years: its people, kits and interviews."""

    def __init__(self, now):
        from interview.accounts.models import User

        self.now, self.random = now, random.Random(3)
        self.owner = User.objects.local_owner()
        self.people = [self.owner] + [
            User.objects.create(name=f"Person {n}", role="interviewer", password="!")
            for n in range(1, PEOPLE)
        ]
        self.versions = [self.kit(n) for n in range(KITS)]
        self.count = self.scores = 0

    def kit(self, number):
        """Its frozen version with its questions, and those with their follow-ups."""
        from interview.bank.models import Kit, Line
        from interview.web.content import library

        cards = library().cards
        chosen = self.random.sample(sorted(cards), QUESTIONS)
        kit = Kit.objects.begin(self.owner, f"Kit {number}", self.now)
        kit.share(True)
        lines = [
            Line(each, tuple(rung.id for rung in cards[each].follow_ups), 8)
            for each in chosen
        ]
        version = kit.latest
        draft = {"role": "", "level": "L4", "notes": ""}
        version.save_lines(lines, revision=version.revision, **draft)
        version.freeze(cards, self.now)
        questions = list(version.in_order())
        return version, [(each, each.rungs(cards[each.card_id])) for each in questions]

    def interview(self, count):
        """So many more, all scored and submitted; one of them is `last`."""
        made = defaultdict(list)
        for _ in range(count):
            for row in self.one():
                made[type(row)].append(row)
        # In the order in which they lead to each other.
        for model, rows in made.items():
            model.objects.bulk_create(rows, batch_size=2000)

    def one(self):
        """All rows of one more interview, each after those that it leads to."""
        from interview.bank.models import Asked, AuditEntry, Interview, PanelMember

        version, questions = self.random.choice(self.versions)
        at = self.now - self.random.uniform(0, 1500) * DAY
        panel = self.random.sample(self.people, PANEL)
        interview = Interview(
            owner=panel[0],
            candidate=f"Candidate {self.count}",
            version=version,
            held_on=at.date(),
            made_at=at,
            started_at=at,
            ended_at=at + timedelta(hours=1),
        )
        yield interview
        yield from (PanelMember(interview=interview, user=each) for each in panel)
        told = {"interview": interview, "asked_at": at}
        asked = [
            (Asked(question=each, card_id=each.card_id, **told), rungs)
            for each, rungs in questions
        ]
        yield from (each for each, _ in asked)
        for verb in ("planned", "linked", "joined", "ended"):
            yield AuditEntry(
                actor_id=panel[0].pk, verb=verb, interview_id=interview.pk, at=at
            )
        for person in panel:
            yield from self.scorecard(interview, person, asked)
        self.count += 1
        if self.owner in panel:
            self.last = Last(interview.pk, version.kit_id, asked[0][0].card_id)

    def scorecard(self, interview, person, asked):
        from interview.bank.models import Note, Score, Scorecard
        from interview.rating.rating import filled

        at = interview.ended_at
        card = Scorecard(
            interview=interview,
            interviewer=person,
            made_at=at,
            submitted_at=at,
            state="submitted",
            summary="They know the way of a request.",
        )
        yield card
        for each, rungs in asked:
            rating = self.random.randint(0, len(rungs))
            marks = filled(rungs, {}, rating)
            score = Score(
                scorecard=card,
                asked=each,
                card_id=each.card_id,
                marks={rung: str(mark) for rung, mark in marks.items()},
                rating=rating,
                revision=1,
                saved_at=at,
            )
            yield score
            yield Note(
                score=score,
                rung_id=rungs[0].id,
                at_s=self.random.randint(0, 3600),
                text="They drew the two phases, and named the first token.",
                revision=1,
                saved_at=at,
            )
            self.scores += 1


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
    """As a database has done by itself that has been filled for years."""
    word = "VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE"
    with connection.cursor() as cursor:
        cursor.execute(word)


def explain(connection, pages):
    """The plan of each query of these pages that reads the bank's tables."""
    from django.test.utils import CaptureQueriesContext

    word = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    for page, url in pages.items():
        with CaptureQueriesContext(connection) as queries:
            ask(url)
        for query in queries:
            sql = query["sql"]
            if not sql.startswith("SELECT") or '"bank_' not in sql:
                continue
            print(f"\n{page}, {float(query['time']) * 1000:.0f} ms: {sql[:300]}")
            with connection.cursor() as cursor:
                cursor.execute(f"{word} {sql}")
                for row in cursor.fetchall():
                    print("   ", row[-1])


if __name__ == "__main__":
    sys.exit(main())
