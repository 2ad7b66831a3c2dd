from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from interview.up import Options, up


class Command(BaseCommand):
    help = "Prepare the data, then run web, lab worker and the lab's endpoint."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8765)
        parser.add_argument("--data", type=Path, default=settings.DATA_DIR)
        parser.add_argument("--no-worker", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        up(
            Options(
                host=options["host"],
                port=options["port"],
                data=options["data"].absolute(),
                worker=not options["no_worker"],
                lab_url=settings.LAB_URL,
                lab_model=settings.LAB_MODEL,
                lab_key=settings.LAB_API_KEY,
            )
        )
