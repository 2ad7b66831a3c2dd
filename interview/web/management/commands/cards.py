import sys
from typing import Any

from django.core.management.base import BaseCommand

from interview.cards.__main__ import main


class Command(BaseCommand):
    help = "Check the content: manage.py cards check [PATH…] [--notices] [--json]"
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        # The arguments are those of `python -m interview.cards`.
        sys.exit(main(argv[2:], prog="manage.py cards"))

    def handle(self, *args: Any, **options: Any) -> None:
        raise AssertionError("run_from_argv does the work")
