import os
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interview.lab.endpoint import Endpoint
from interview.lab.worker import LabWorker


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
        worker = LabWorker(endpoint)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.leave())
        if options["stop_on_eof"]:
            threading.Thread(target=leave_at_eof, args=(worker,), daemon=True).start()
        worker.work()


def leave_at_eof(worker: LabWorker) -> None:
    # os.read, because a buffered reader's lock would abort the interpreter's exit.
    while os.read(0, 4096):
        pass
    worker.leave()
