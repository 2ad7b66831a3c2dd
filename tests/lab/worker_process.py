"""`manage.py lab_worker` as a process of its own, on the database of the test.

Arguments: name of the database, then those of the command.
"""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
    settings.DATABASES["default"]["NAME"] = sys.argv[1]
    django.setup()
    call_command("lab_worker", *sys.argv[2:])
