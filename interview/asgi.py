"""The ASGI application."""

import os
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from .tally import FOLDER, Counted

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interview.settings")

# Three libraries write the one type of an ASGI application in three ways.
application: Any = Counted(get_asgi_application(), settings.DATA_DIR / FOLDER)
if settings.PREFILL_PROXIES:
    # Whose word on who is asking, and whether by HTTPS, is believed: nobody else's.
    application = ProxyHeadersMiddleware(application, settings.PREFILL_PROXIES)
