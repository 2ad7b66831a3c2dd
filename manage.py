#!/usr/bin/env python3
"""Prefill's one entry point: `python3 manage.py up`, `python3 manage.py test`."""

import os
import sys

from interview import bootstrap

if __name__ == "__main__":
    bootstrap.ensure(os.path.abspath(__file__), sys.argv[1:])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interview.settings")

    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
