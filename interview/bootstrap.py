"""Makes `.venv` with a new enough Python and continues there.

Standard library only, and it parses on Python 3.6: it runs before any install.
"""

import contextlib
import glob
import hashlib
import os
import shutil
import subprocess
import sys
from typing import Iterator, Optional

OLDEST = (3, 12)
PREFERRED = ("3.13", "3.14", "3.12", "3.15")
REMEDIES = """Prefill needs Python 3.12 or newer, with its venv module, and found none.
  Debian, Ubuntu   apt install python3.13-venv (or 3.12; Debian 12 has neither)
  macOS            brew install python@3.13
  anywhere         install uv, then: uv python install 3.13
Then run the same command again."""


def ensure(manage: str, arguments: "list[str]") -> None:
    """Return when this Python is `.venv`'s and up to date, else continue there.

    `test` needs the development packages as well; every other command the lock alone.
    Ends the process with a sentence when there is no usable Python or no packages.
    """
    root = os.path.dirname(manage)
    venv = os.path.join(root, ".venv")
    python = os.path.join(
        venv, *(["Scripts", "python.exe"] if os.name == "nt" else ["bin", "python"])
    )
    testing = arguments[:1] == ["test"]
    lock = "requirements-dev.lock" if testing else "requirements.lock"
    if not is_current(root, venv, lock) or not os.path.exists(python):
        with locked(root):
            if not is_current(root, venv, lock) or not works(python):
                make(venv, python)
                install(root, venv, python, lock)
    if os.path.realpath(sys.prefix) != os.path.realpath(venv):
        continue_in(python, manage, arguments)


def is_current(root: str, venv: str, lock: str) -> bool:
    """Whether the environment holds what `lock` names.

    The development lock contains the other one, so its mark serves for both.
    """
    names = {lock, "requirements-dev.lock"}
    return any(read(mark(venv, name)) == digest(root) for name in names)


def mark(venv: str, lock: str) -> str:
    return os.path.join(venv, "." + lock)


def read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def digest(root: str) -> str:
    """One hash over both locks and the place: a moved environment is made anew."""
    total = hashlib.sha256(os.path.abspath(root).encode())
    for name in ("requirements.lock", "requirements-dev.lock"):
        with open(os.path.join(root, name), "rb") as file:
            total.update(file.read())
    return total.hexdigest()


@contextlib.contextmanager
def locked(root: str) -> Iterator[None]:
    """Two first starts at once: the second waits for the first."""
    with open(os.path.join(root, ".venv.lock"), "w") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except ImportError:
            pass
        yield


def make(venv: str, python: str) -> None:
    if works(python):
        return
    base = find()
    if base is None:
        sys.exit(REMEDIES)
    say("Making .venv with " + base)
    shutil.rmtree(venv, ignore_errors=True)
    if subprocess.call([base, "-m", "venv", venv]) != 0:
        shutil.rmtree(venv, ignore_errors=True)
        sys.exit("Could not make %s with %s: see the lines above." % (venv, base))


def install(root: str, venv: str, python: str, lock: str) -> None:
    say("Installing the packages of " + lock)
    command = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    command += ["--require-hashes", "-r", os.path.join(root, lock)]
    if subprocess.call(command) != 0:
        sys.exit(
            "Could not install the packages of %s. Is the package index reachable? "
            "Then run the same command again." % lock
        )
    with open(mark(venv, lock), "w") as file:
        file.write(digest(root))


def find() -> Optional[str]:
    """The first Python in order of preference that runs, is new enough and has venv."""
    for candidate in candidates():
        if works(candidate):
            return candidate
    return None


def candidates() -> Iterator[str]:
    """Paths to try, most preferred first; a name proves nothing until it has run."""
    yield sys.executable
    homes = {os.path.expanduser("~")}
    try:
        import pwd

        homes.add(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):
        pass
    for version in PREFERRED:
        for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
            yield os.path.join(folder, "python" + version)
        for home in sorted(homes):
            for pattern in (
                os.path.join(
                    os.environ.get("PYENV_ROOT", os.path.join(home, ".pyenv")),
                    "versions",
                ),
                os.path.join(home, ".pyenv", "versions"),
                os.path.join(home, ".local", "share", "uv", "python"),
            ):
                for found in sorted(
                    glob.glob(os.path.join(pattern, "*%s*" % version)), reverse=True
                ):
                    yield os.path.join(found, "bin", "python3")
        for folder in ("/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"):
            yield os.path.join(folder, "python" + version)
        yield "/Library/Frameworks/Python.framework/Versions/%s/bin/python3" % version
        yield os.path.join(
            os.environ.get("LOCALAPPDATA", ""),
            "Programs",
            "Python",
            "Python" + version.replace(".", ""),
            "python.exe",
        )
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        yield os.path.join(folder, "python3")


def works(python: str) -> bool:
    """Whether `python` runs, is new enough and can make an environment with pip."""
    if not os.path.exists(python):
        return False
    program = "import sys, venv, ensurepip; sys.exit(sys.version_info[:2] < %r)" % (
        OLDEST,
    )
    try:
        with open(os.devnull, "w") as nowhere:
            return (
                subprocess.call([python, "-c", program], stdout=nowhere, stderr=nowhere)
                == 0
            )
    except OSError:
        return False


def continue_in(python: str, manage: str, arguments: "list[str]") -> None:
    command = [python, manage, *arguments]
    if os.name == "nt":
        # exec on Windows starts a second process and lets this one end at once.
        sys.exit(subprocess.call(command))
    sys.stdout.flush()
    os.execv(python, command)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
