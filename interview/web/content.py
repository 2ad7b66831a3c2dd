"""The content of this process: one library, read from the folders in the settings."""

import time
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from interview.cards.keeper import LibraryKeeper
from interview.cards.library import Library


@lru_cache(maxsize=1)
def keeper(roots: tuple[Path, ...]) -> LibraryKeeper:
    return LibraryKeeper(roots, time.monotonic)


def roots() -> tuple[Path, ...]:
    """The repository's content, then the private folders of this installation."""
    return settings.CONTENT_ROOT, *settings.CONTENT_PATHS


def library() -> Library:
    """The current library; the first call of a process reads the files."""
    return keeper(roots()).library()


def look_again() -> None:
    """After a file was written: this process has it at once, others in a second."""
    keeper(roots()).look_now()
