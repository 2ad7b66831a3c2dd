"""Start-up checks of the lab's settings: a sentence before the first run, not after."""

import json
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from interview.measure.errors import UsageError
from interview.measure.target import root_of
from interview.spark.catalogue import ProfileError

from .results.limits import known_profiles, own_profiles


@register()
def lab_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    try:
        extra = json.loads(settings.LAB_EXTRA_BODY)
        is_object = isinstance(extra, dict)
    except ValueError:
        is_object = False
    if not is_object:
        hint = 'For instance {"chat_template_kwargs": {"enable_thinking": false}}.'
        said = f"LAB_EXTRA_BODY is no JSON object: {settings.LAB_EXTRA_BODY[:100]!r}."
        found.append(Error(said, hint=hint, id="lab.E001"))
    if settings.LAB_URL:
        try:
            root_of(settings.LAB_URL)
        except UsageError as wrong:
            said = f"LAB_URL cannot be used: {wrong}"
            found.append(
                Error(said, hint="Correct LAB_URL, or unset it.", id="lab.E002")
            )
    try:
        known_profiles(own_profiles())
    except ProfileError as wrong:
        said = f"The limits of your hardware cannot be drawn: {wrong}"
        hint = "Correct the file, or move it away."
        found.append(Error(said, hint=hint, id="lab.E003"))
    return found
