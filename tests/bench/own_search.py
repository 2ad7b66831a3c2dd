"""Search and the list by own state: 2,000 cards, 20,000 own attempts, 100,000 reviews.

Run by hand: `.venv/bin/python -m tests.bench.own_search`. Server time of whole pages.
"""

import os
import random
import shutil
import statistics
import tempfile
import time
from datetime import timedelta
from itertools import accumulate
from pathlib import Path

from tests.bench.cards_2000 import GOOD, say, write_cards

ATTEMPTS, REVIEWS = 20_000, 100_000
WORDS_AN_ATTEMPT = 60
ROUNDS = 15
LIMIT_MS = 50


def start_django(data, content):
    data.mkdir()
    os.environ["PREFILL_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
    import django
    from django.conf import settings

    django.setup()
    settings.CONTENT_ROOT, settings.CONTENT_PATHS = content, []
    settings.ALLOWED_HOSTS = ["testserver"]
    # As pages are served: without collected files names stay as they are.
    storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": storage}}
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def fill(words, rng):
    """One who practised for long, and another person who wrote as much."""
    from django.utils import timezone

    from interview.accounts.models import User
    from interview.study.models import Act, Attempt, CardMark, Item

    now = timezone.now()
    me, other = User.objects.local_owner(), User.objects.create(name="other")
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))

    def text():
        return " ".join(rng.choices(words, cum_weights=weights, k=WORDS_AN_ATTEMPT))

    def past(most_days=300):
        return now - timedelta(minutes=rng.randrange(most_days * 1440))

    def card():
        return f"card-{rng.randrange(2_000)}"

    Act.objects.bulk_create(
        Act(user=me, kind="grade", grade="solid", card_id=card(), at=past())
        for _ in range(REVIEWS)
    )
    for person in (me, other):
        Attempt.objects.bulk_create(
            Attempt(user=person, card_id=card(), text=text(), at=past())
            for _ in range(ATTEMPTS)
        )
        Item.objects.bulk_create(
            Item(
                user=person,
                card_id=f"card-{number}",
                rung_id=rung_id,
                reviews=3,
                last_grade=rng.choice(["solid", "solid", "partly", "missed"]),
                natural_due_at=now,
                due_at=past() + timedelta(days=250),
            )
            for number in range(1_800)
            for rung_id in ("", "a", "b", "c")
        )
        CardMark.objects.bulk_create(
            CardMark(
                user=person, card_id=f"card-{number}", note=text(), is_flagged=True
            )
            for number in range(400)
        )


def page_ms(client, path, **query):
    """The middle of several rounds, and the queries of one."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        response = client.get(path, query)
        times.append((time.process_time() - start) * 1000)
        assert response.status_code == 200
    with CaptureQueriesContext(connection) as queries:
        client.get(path, query)
    return statistics.median(times), len(queries)


def main():
    rng = random.Random(1)
    root = Path(tempfile.mkdtemp())
    try:
        content = root / "content"
        shutil.copytree(GOOD, content)
        words = write_cards(content, rng)
        start_django(root / "data", content)
        fill(words, rng)
        from django.test import Client

        client = Client()
        client.get("/search/?q=warm")
        asked = {
            "a common word": "prefill",
            "its beginning": "pref",
            "two words": f"{words[3]} {words[40]}",
            "a rare word": words[-1],
            "in no text": "zzzyyyxxx",
            "inside words": "efil",
        }
        for what, q in asked.items():
            ms, queries = page_ms(client, "/search/", q=q)
            say(f"search, {what} ({queries} queries)", ms, "ms", LIMIT_MS)
        for mine in ("", "due", "weak,flagged"):
            ms, queries = page_ms(client, "/cards/", mine=mine)
            say(f"cards, {mine or 'all'} ({queries} queries)", ms, "ms")
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
