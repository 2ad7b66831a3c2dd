"""The measuring process of one run: its start, its lines, its end. Knows no database.

It gets the spec over stdin, which stays open: closing it asks the process to stop, and
so does our own death.
"""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (sys.executable, "-m", "interview.measure", "--spec", "-")
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT")
"""Nothing else of our environment is the child's business: no key, no proxy."""
READ_BYTES = 1 << 16
LAST_WORDS_BYTES = 4000


class LineSplitter:
    """Bytes to lines without their end; keeps what is not a whole line yet.

    A line of many portions, as a report is, is put together once: at its end.
    """

    def __init__(self) -> None:
        self._begun: list[bytes] = []

    def feed(self, portion: bytes) -> list[bytes]:
        first, *others = portion.split(b"\n")
        self._begun.append(first)
        if not others:
            return []
        *whole, rest = [b"".join(self._begun), *others]
        self._begun = [rest]
        return whole


class Child:
    """Lines are read by a thread, so that a busy database never holds up the pipe."""

    def __init__(
        self, spec: Mapping[str, Any], command: tuple[str, ...] = COMMAND
    ) -> None:
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.is_silent = False
        """Its output has ended and every line was taken."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=clean_environment(os.environ),
            # Ctrl-C reaches a whole terminal group; stopping the child is ours to do.
            start_new_session=True,
        )
        assert self._process.stdout
        assert self._process.stderr
        self._last_words = b""
        for work, pipe in (
            (self._read, self._process.stdout),
            (self._listen, self._process.stderr),
        ):
            threading.Thread(target=work, args=(pipe,), daemon=True).start()
        self._tell(json.dumps(spec).encode() + b"\n")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The end of what it wrote on stderr, for our log alone."""
        return self._last_words.decode("utf-8", "replace").strip()

    def lines(self, wait_s: float) -> Iterator[bytes]:
        """All lines that are there; waits at most `wait_s` for the first."""
        try:
            line = self._lines.get(timeout=wait_s)
            while line is not None:
                yield line
                line = self._lines.get_nowait()
            self.is_silent = True
        except queue.Empty:
            return

    def stop(self) -> None:
        """Ask it to close its connections and report."""
        assert self._process.stdin
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            return

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int:
        """Its exit status, negative for a signal. Call it when it is silent."""
        self.stop()
        try:
            return self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.kill()
            return self._process.wait()

    def join(self, number: int) -> None:
        """One stream more, in a run that gathers."""
        self._tell(json.dumps({"join": number}).encode() + b"\n")

    def _tell(self, line: bytes) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return  # it died, or was asked to stop: its exit status will say so

    def _read(self, pipe: IO[bytes]) -> None:
        splitter = LineSplitter()
        with pipe:
            while portion := os.read(pipe.fileno(), READ_BYTES):
                for line in splitter.feed(portion):
                    self._lines.put(line)
        self._lines.put(None)

    def _listen(self, pipe: IO[bytes]) -> None:
        with pipe:
            while portion := os.read(pipe.fileno(), READ_BYTES):
                self._last_words = (self._last_words + portion)[-LAST_WORDS_BYTES:]


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    kept = {name: environment[name] for name in KEPT_VARIABLES if name in environment}
    return kept | {"PYTHONUTF8": "1"}
