from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from interview.bank.privacy.retention import Due
from interview.web.numbers import counted


class Command(BaseCommand):
    help = (
        "Delete the interviews whose day is more than BANK_KEEP_DAYS ago, links of "
        "candidates that have expired, and packs of cards that nobody answered for. "
        "`manage.py up` does so once a day."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would go, delete nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        due = Due.of(settings.BANK_KEEP_DAYS, now)
        if options["dry_run"]:
            gone, done = due.interviews, "would be deleted"
        else:
            gone, done = due.delete(now), "deleted"
        # Ids alone: this goes into logs.
        for interview in gone:
            self.stdout.write(f"interview {interview.pk}")
        self.stdout.write(
            f"{counted(len(gone), 'interview')} from before {due.before}, "
            f"{counted(len(due.links), 'expired link')} of later ones and "
            f"{counted(len(due.packs), 'old pack')} {done}."
        )
