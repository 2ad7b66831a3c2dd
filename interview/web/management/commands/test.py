import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "Run every check and test; with arguments, only pytest's with these."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        # The arguments are pytest's, so argparse must not see them.
        from tests import suite

        sys.exit(suite.main(argv[2:]))

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pytest", nargs="*", help="arguments for pytest")

    def handle(self, *args: Any, **options: Any) -> None:
        raise AssertionError("run_from_argv does the work")
