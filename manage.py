#!/usr/bin/env python3
"""Prefill's one entry point: `python3 manage.py up`, `python3 manage.py test`."""

import os
import sys

from interview import bootstrap


def main() -> None:
    bootstrap.ensure(os.path.abspath(__file__), sys.argv[1:])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interview.settings")

    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped. The same command goes on where it left off.")
