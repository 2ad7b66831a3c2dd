"""`manage.py test`: every gate in one command, on both databases and in a browser.

Ends with one line over all parts. A part that could not run counts as failed.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from xml.etree import ElementTree

from tests import postgres

ROOT = Path(__file__).resolve().parent.parent
MANAGE = [sys.executable, str(ROOT / "manage.py")]
PYTEST = [sys.executable, "-m", "pytest"]
DEPLOYED = {"PREFILL_HTTPS": "1", "SECRET_KEY": "k" * 25 + "0123456789abcdefghijklmnop"}
CHECKS = {
    "ruff check": ([sys.executable, "-m", "ruff", "check", "."], {}),
    "ruff format": ([sys.executable, "-m", "ruff", "format", "--check", "."], {}),
    "mypy": ([sys.executable, "-m", "mypy"], {}),
    "migrations": ([*MANAGE, "makemigrations", "--check", "--dry-run"], {}),
    "deploy check": ([*MANAGE, "check", "--deploy", "--fail-level=WARNING"], DEPLOYED),
    "cards check": ([*MANAGE, "cards", "check"], {}),
}
NO_TESTS_SELECTED = 5


@dataclass(slots=True)
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __iadd__(self, other: "Count") -> "Count":
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        return self

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def main(arguments: list[str]) -> int:
    """Run all parts, or only pytest's with `arguments`; 0 when nothing failed."""
    arguments = list(arguments)
    browser_required = "--require-browser" in arguments
    if browser_required:
        arguments.remove("--require-browser")
    total, browser = Count(), chromium()
    with scratch_data() as environment:
        environment["CHROMIUM"] = browser or ""
        if not arguments:
            for name, (command, extra) in CHECKS.items():
                total += check(name, command, environment | extra)
        with contextlib.ExitStack() as stack:
            try:
                url = stack.enter_context(postgres.server())
            except postgres.NoPostgres as reason:
                print(f"== PostgreSQL: {reason}")
                total += Count(failed=1)
                on = {"SQLite": environment}
            else:
                on = {
                    "SQLite": environment,
                    "PostgreSQL": on_postgres(environment, url),
                }
            total += both(on, arguments, browser)
            if browser:
                marks = ["-m", "browser", *arguments]
                total += tests("browser, SQLite", marks, environment, sys.stdout)
    if not browser:
        print("== browser: no Chromium found; install it, or set CHROMIUM to its path")
        total += Count(failed=1) if browser_required else Count(skipped=1)
    print(f"\n{total}", flush=True)
    return int(total.failed > 0 or total.passed == 0)


@contextlib.contextmanager
def scratch_data() -> Iterator[dict[str, str]]:
    """An environment that without data folder, endpoint or database of this machine."""
    ours = ("LAB_", "PREFILL_", "DATABASE_URL", "SECRET_KEY", "CONTENT_PATHS")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(ours)
    }
    with tempfile.TemporaryDirectory(prefix="prefill-test-") as folder:
        yield kept | {"PREFILL_DATA": folder, "PYTHONPATH": str(ROOT)}


def check(name: str, command: list[str], environment: dict[str, str]) -> Count:
    print(f"== {name}", flush=True)
    if subprocess.call(command, cwd=ROOT, env=environment) == 0:
        return Count(passed=1)
    return Count(failed=1)


def on_postgres(environment: dict[str, str], url: str) -> dict[str, str]:
    folder = Path(environment["PREFILL_DATA"]) / "postgresql"
    folder.mkdir()
    return environment | {"DATABASE_URL": url, "PREFILL_DATA": str(folder)}


def both(
    on: dict[str, dict[str, str]], arguments: list[str], browser: str | None
) -> Count:
    """All but SQLite's browser tests, on each database at once. SQLite's way is longer,
    since the tests without a database are on it, and it is told live."""
    marks = ["-m", "not browser", *arguments]
    with ThreadPoolExecutor() as pool, tempfile.TemporaryFile("w+") as told:

        def on_the_other(name: str) -> Count:
            count = tests(name, ["--database-only", *marks], on[name], told)
            if browser:
                chosen = ["-m", "browser and not looks", *arguments]
                count += tests(f"browser, {name}", chosen, on[name], told)
            return count

        beside = [pool.submit(on_the_other, name) for name in on if name != "SQLite"]
        total = tests("SQLite", marks, on["SQLite"], sys.stdout)
        for count in beside:
            total += count.result()
        told.seek(0)
        print(told.read(), flush=True)
    return total


def tests(
    name: str,
    arguments: list[str],
    environment: dict[str, str],
    told: TextIO,
) -> Count:
    print(f"\n== tests on {name}", file=told, flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [*PYTEST, f"--junitxml={report}", *arguments]
        status = subprocess.call(command, cwd=ROOT, env=environment, stdout=told)
        count = counted(report) if report.exists() else Count()
    if status not in {0, NO_TESTS_SELECTED} and not count.failed:
        count.failed = 1
    took_s = time.monotonic() - started
    print(f"== tests on {name}: {count} in {took_s:.0f} s", file=told, flush=True)
    return count


def counted(report: Path) -> Count:
    suite = ElementTree.parse(report).getroot().find("testsuite")
    assert suite is not None
    tests, failures, errors, skipped = (
        int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    return Count(
        passed=max(0, tests - failed - skipped), failed=failed, skipped=skipped
    )


def chromium() -> str | None:
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := os.environ.get("CHROMIUM") or shutil.which(name):
            return found
    return None
