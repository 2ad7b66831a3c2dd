from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from interview.archive.errors import ArchiveError
from interview.archive.restore import Options, restore
from interview.data_folder import check_writable, nobody_at_work, only_one
from interview.web.prepared import no_answer


class Command(BaseCommand):
    help = "Put a backup in the place of what is here, on either database."
    # There may be no folder yet, and so no database to check.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="also when there is something here; a copy of it is kept",
        )
        parser.add_argument(
            "--without-copy",
            action="store_true",
            help="with --replace: also over the database of a newer Prefill, which "
            "this one cannot copy",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        check_writable(settings.DATA_DIR)
        chosen = Options(options["replace"], options["without_copy"])
        try:
            with only_one(settings.DATA_DIR), nobody_at_work(settings.DATA_DIR):
                done = restore(options["file"], timezone.now(), chosen)
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        except OperationalError as error:
            raise CommandError(no_answer(error)) from error
        found = done.manifest
        self.stdout.write(
            f"Restored {found.rows:,} rows and {len(found.files)} files of private "
            f"content, as they were at {found.made_at}."
        )
        if done.copy:
            self.stdout.write(
                f"What was here before is in {done.copy}; "
                f"`manage.py restore {done.copy} --replace` brings it back."
            )
        self.stdout.write("Everybody signs in again, and open invitations are over.")
        self.stdout.write("Start Prefill again: `manage.py up`.")
