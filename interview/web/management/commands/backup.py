from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from interview.archive.backup import backup
from interview.archive.errors import ArchiveError
from interview.web.prepared import no_answer


class Command(BaseCommand):
    help = (
        "Write people, runs, rooms and private content into one file, while Prefill "
        "runs. The file is as private as the database: it has password hashes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, such as prefill.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            made = backup(file, timezone.now())
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        except OperationalError as error:
            raise CommandError(no_answer(error)) from error
        size_mb = file.stat().st_size / 1e6
        self.stdout.write(
            f"{file}: {made.rows:,} rows of {len(made.tables)} tables and "
            f"{len(made.files)} files of private content, {size_mb:.1f} MB. The keys "
            "(SECRET_KEY, LAB_API_KEY) are not in it, nor who is signed in or invited."
        )
