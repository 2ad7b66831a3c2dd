from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from interview.up import Options, up


def port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65_535:
        raise ArgumentTypeError(f"{text!r} is no port: give a number from 1 to 65535.")
    return int(text)


def processes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise ArgumentTypeError(f"{text!r} is no number from 1 to 64.")
    return int(text)


def folder(text: str) -> Path:
    if not text.strip():
        raise ArgumentTypeError("name a folder.")
    return Path(text)


class Command(BaseCommand):
    help = "Prepare the data, then run web, lab worker and the lab's endpoint."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add(
            "--host",
            default="127.0.0.1",
            help="a loopback address (127.0.0.1); any with PREFILL_MODE=shared",
        )
        add("--port", type=port, default=8765, help="from 1 to 65535 (8765)")
        add(
            "--data",
            type=folder,
            default=settings.DATA_DIR,
            metavar="FOLDER",
            help="database, session key and private content (var)",
        )
        add(
            "--web",
            type=processes,
            default=1,
            metavar="N",
            help="web processes (1); several need PostgreSQL",
        )
        workers = parser.add_mutually_exclusive_group()
        workers.add_argument(
            "--workers",
            type=processes,
            default=1,
            metavar="N",
            help="lab workers (1); one measures, the others stand by",
        )
        workers.add_argument(
            "--no-worker", action="store_true", help="serve pages, measure nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        up(
            Options(
                host=options["host"],
                port=options["port"],
                data=options["data"].absolute(),
                web=options["web"],
                workers=0 if options["no_worker"] else options["workers"],
                shared=settings.IS_SHARED,
                https=settings.HTTPS,
                sqlite=not settings.DATABASE_URL,
                lab_url=settings.LAB_URL,
                lab_model=settings.LAB_MODEL,
                lab_key=settings.LAB_API_KEY,
            )
        )
