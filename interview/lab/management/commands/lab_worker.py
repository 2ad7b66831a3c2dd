import contextlib
import logging
import os
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from interview.data_folder import at_work
from interview.lab.endpoint import Endpoint
from interview.lab.measuring.worker import LabWorker
from interview.web.prepared import missing, no_answer

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0


class Command(BaseCommand):
    help = "Measure the lab's queued runs, one at a time, until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--stop-on-eof",
            action="store_true",
            help="also stop when standard input closes: the parent has died",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        endpoint = Endpoint.current()
        if not endpoint.is_set:
            raise CommandError(
                "The lab worker has no endpoint: set LAB_URL and LAB_MODEL, "
                "or start everything with `manage.py up`."
            )
        leaving = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: leaving.set())
        if options["stop_on_eof"]:
            threading.Thread(target=set_at_eof, args=(leaving,), daemon=True).start()
        wait_until_prepared(leaving)
        if leaving.is_set():
            return
        with contextlib.ExitStack() as stack:
            # A server knows who is connected, and needs no folder here.
            if connection.vendor == "sqlite":
                stack.enter_context(at_work(settings.DATA_DIR))
            LabWorker(endpoint, leaving).work()


def wait_until_prepared(leaving: threading.Event) -> None:
    """It may be started before the web, which prepares the database for both."""
    if lacks := lacking():
        log.info("Waiting for the database to be prepared: %s", lacks)
    while lacks and not leaving.wait(LOOK_EVERY_S):
        lacks = lacking()


def lacking() -> str:
    try:
        return missing()
    except OperationalError as error:
        return no_answer(error)
    finally:
        connection.close()


def set_at_eof(leaving: threading.Event) -> None:
    # os.read, because a buffered reader's lock would abort the interpreter's exit.
    while os.read(0, 4096):
        pass
    leaving.set()
