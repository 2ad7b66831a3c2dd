"""Keeps the library of a process up to date with its files."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from interview.cards.library import Library
from interview.cards.shelf import signature


class LibraryKeeper:
    """Hands out the current library; looks at the files at most once a second.

    `clock` gives seconds that never go back. While one thread reloads, the others
    get the library from before.
    """

    def __init__(self, roots: Sequence[Path], clock: Callable[[], float]) -> None:
        self._roots = tuple(roots)
        self._clock = clock
        self._lock = threading.Lock()
        self._signature = signature(self._roots)
        self._library = Library.load(self._roots)
        self._looked = clock()

    def library(self) -> Library:
        if self._clock() - self._looked >= 1 and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return self._library

    def _look(self) -> None:
        self._looked = self._clock()
        # Taken before loading: a file written meanwhile differs at the next look.
        now = signature(self._roots)
        if now != self._signature:
            self._library = Library.load(self._roots, previous=self._library)
            self._signature = now
