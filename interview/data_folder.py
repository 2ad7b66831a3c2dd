"""The folder with everything that is ours alone, and who holds it."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from .giving_up import give_up

WORKERS = "workers.lock"


def check_writable(data: Path) -> None:
    try:
        # Who made it otherwise has a reason; ours is nobody else's business.
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=data):
            pass
    except OSError as error:
        give_up(
            f"Cannot write in the data folder {data}: {error.strerror}. "
            "Name another one with --data FOLDER."
        )


@contextlib.contextmanager
def only_one(data: Path) -> Iterator[None]:
    """Hold the data folder; the lock goes with the process, however it ends."""
    with locked(data / "up.lock") as (lock, is_ours):
        if not is_ours:
            lock.seek(0)
            give_up(
                f"Prefill is already up on {data} ({lock.read().strip()}). "
                "Stop it first, or name another folder with --data FOLDER."
            )
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        yield


@contextlib.contextmanager
def at_work(data: Path) -> Iterator[None]:
    """What each lab worker holds: any number may."""
    with locked(data / WORKERS, is_shared=True) as (_, is_ours):
        if not is_ours:
            give_up(
                f"{data} is being restored: start the lab worker when that is done."
            )
        yield


@contextlib.contextmanager
def nobody_at_work(data: Path) -> Iterator[None]:
    with locked(data / WORKERS) as (_, is_ours):
        if not is_ours:
            give_up(f"A lab worker is at work on {data}: stop it first.")
        yield


@contextlib.contextmanager
def locked(path: Path, *, is_shared: bool = False) -> Iterator[tuple[IO[str], bool]]:
    """The file, and whether we got the lock; without locks on Windows, always."""
    with path.open("a+") as lock:
        is_ours = True
        try:
            import fcntl

            how = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
            fcntl.flock(lock, how | fcntl.LOCK_NB)
        except ImportError:
            pass
        except OSError:
            is_ours = False
        yield lock, is_ours
