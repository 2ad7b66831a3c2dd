"""Keeps the library of a process up to date with its files, and logs broken ones."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from interview.cards.library import Library
from interview.cards.problem import Problem, has_errors
from interview.cards.shelf import signature

log = logging.getLogger(__name__)


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
        _tell(self._library, {})

    def library(self) -> Library:
        if self._clock() - self._looked >= 1 and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return self._library

    def look_now(self) -> None:
        """Whoever has just written a file need not wait for the next look."""
        with self._lock:
            self._look()

    def _look(self) -> None:
        self._looked = self._clock()
        # Taken before loading: a file written meanwhile differs at the next look.
        now = signature(self._roots)
        if now != self._signature:
            before = _errors(self._library)
            self._library = Library.load(self._roots, previous=self._library)
            self._signature = now
            _tell(self._library, before)


def _errors(library: Library) -> dict[str, list[Problem]]:
    """The errors of each file that has some."""
    found = [problem for problem in library.problems if has_errors([problem])]
    return {path: list(group) for path, group in groupby(found, lambda p: p.path)}


def _tell(library: Library, before: Mapping[str, list[Problem]]) -> None:
    """One line for each file whose errors are others than before."""
    tables = (library.cards, library.sections, library.experiments, library.results)
    shown_paths = {item.path for table in tables for item in table.values()}
    for path, errors in _errors(library).items():
        if errors != before.get(path):
            more = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
            is_kept = path in library.broken & shown_paths
            kept = " The last good version is shown." if is_kept else ""
            log.warning("%s%s%s", errors[0], more, kept)
