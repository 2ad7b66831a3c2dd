"""The web server as in production, on the database of the test: name, port."""

import os
import sys

import uvicorn
from django.conf import settings

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
    settings.DATABASES["default"]["NAME"] = sys.argv[1]
    # Hashed names need a collected folder, which a test run does not make.
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["staticfiles"] = {"BACKEND": plain}
    uvicorn.run(
        "interview.asgi:application",
        port=int(sys.argv[2]),
        lifespan="off",
        timeout_graceful_shutdown=3,
        log_level="warning",
    )
