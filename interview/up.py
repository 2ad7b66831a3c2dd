"""`manage.py up`: prepares the data and runs web, lab worker and simulated endpoint.

It knows processes, not Django: what needs the database runs as a command of its own.
"""

import contextlib
import errno
import ipaddress
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from .children import ROOT, STOP_SECONDS, Child
from .endpoint import describe

MANAGE = [sys.executable, str(ROOT / "manage.py")]
LOOK_EVERY_S = 3.0


@dataclass(frozen=True, slots=True)
class Options:
    host: str
    port: int
    data: Path
    worker: bool
    lab_url: str
    lab_model: str
    lab_key: str


def up(options: Options) -> None:
    """Run until Ctrl-C or SIGTERM; exit with a sentence when it cannot start."""
    check_host(options.host)
    check_data(options.data)
    with only_one(options.data):
        check_port(options.host, options.port)
        environment = os.environ | {
            "PREFILL_DATA": str(options.data),
            "PREFILL_HOST": options.host,
        }
        prepare(environment)
        children = []
        if options.lab_url:
            if options.lab_model:
                check_model(options)
            environment |= {"LAB_MODEL": options.lab_model or first_model(options)}
        else:
            spark, settings = simulator(environment)
            environment |= settings
            children.append(spark)
        children.append(web(options, environment))
        supervise(children, environment, options)


def check_host(host: str) -> None:
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        give_up(
            f"{host} is not this machine's loopback address. Without sign-in everybody "
            "who reaches Prefill is its owner: use --host 127.0.0.1."
        )


def check_data(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
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
    with (data / "up.lock").open("a+") as lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass
        except OSError:
            lock.seek(0)
            give_up(
                f"Prefill is already up on {data} ({lock.read().strip()}). "
                "Stop it first, or name another folder with --data FOLDER."
            )
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        yield


def check_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                give_up(
                    f"Port {port} is taken. Is Prefill already up there? "
                    f"Else choose another one, such as --port {port + 1}."
                )
            give_up(f"Cannot listen on {host} port {port}: {error.strerror}.")


def prepare(environment: dict[str, str]) -> None:
    if subprocess.call([*MANAGE, "prepare"], cwd=ROOT, env=environment) != 0:
        give_up("Prefill did not start: see the lines above.")


def first_model(options: Options) -> str:
    """The first model that the endpoint serves; with a sentence when it serves none."""
    found = describe(options.lab_url, options.lab_key)
    if found.problem:
        say(f"The lab's endpoint {options.lab_url} {found.problem}")
        say("Prefill looks again until it answers.")
    return next(iter(found.models), "")


def check_model(options: Options) -> None:
    """Say so when the endpoint does not answer or does not serve the wanted model."""
    found = describe(options.lab_url, options.lab_key)
    if found.problem:
        say(f"The lab's endpoint {options.lab_url} {found.problem}")
    elif options.lab_model not in found.models:
        say(
            f"The lab's endpoint has no model {options.lab_model}; it serves "
            f"{', '.join(found.models)}. Set LAB_MODEL to one of them."
        )


def simulator(environment: dict[str, str]) -> tuple[Child, dict[str, str]]:
    """The simulated DGX Spark on a free loopback port, and the settings to reach it."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    command = [sys.executable, "-m", "interview.spark", "--port", str(port)]
    child = Child("simulated DGX Spark", [*command, "--stop-on-eof"], environment)
    child.start()
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 15
    while (found := describe(url, "")).problem:
        if time.monotonic() > deadline or child.process is None:
            give_up(f"The simulated DGX Spark did not start: {found.problem}")
        time.sleep(0.1)
    settings = {"LAB_URL": url, "LAB_MODEL": found.models[0]}
    return child, settings | {"LAB_HARDWARE": "DGX Spark"}


def web(options: Options, environment: dict[str, str]) -> Child:
    command = [sys.executable, "-m", "interview.serve", "--stop-on-eof"]
    command += ["--host", options.host, "--port", str(options.port)]
    return Child("web server", command, environment)


def lab_worker(environment: dict[str, str]) -> Child:
    command = [*MANAGE, "lab_worker", "--stop-on-eof"]
    return Child("lab worker", command, environment)


def supervise(
    children: list[Child], environment: dict[str, str], options: Options
) -> None:
    stopping = False

    def ask(signum: int, frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGTERM, ask)
    announced, looked_at = False, time.monotonic()
    # A worker needs to know what to ask for.
    waits_for_model = not environment["LAB_MODEL"]
    if options.worker and not waits_for_model:
        children.append(lab_worker(environment))
    try:
        while not stopping:
            now = time.monotonic()
            for child in children:
                child.keep_alive(now)
            if not announced and listening(options.host, options.port):
                address = f"http://{bracketed(options.host)}:{options.port}/"
                say(f"Prefill is at {address}   (stop it with Ctrl-C)")
                announced = True
            if waits_for_model and now - looked_at > LOOK_EVERY_S:
                looked_at = now
                waits_for_model = not found_model(children, environment, options)
            time.sleep(0.1)
    finally:
        for child in children:
            child.stop()
        deadline = time.monotonic() + STOP_SECONDS
        for child in children:
            child.ended_by(deadline)


def found_model(
    children: list[Child], environment: dict[str, str], options: Options
) -> bool:
    """Whether the endpoint answers by now; if so, all parts are told its model."""
    found = describe(options.lab_url, options.lab_key, timeout_s=0.5)
    if not found.models:
        return False
    environment |= {"LAB_MODEL": found.models[0]}
    say(f"The lab's endpoint answers; it serves {found.models[0]}.")
    for child in children:
        child.restart(environment)
    if options.worker:
        children.append(lab_worker(environment))
    return True


def listening(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=0.2):
            return True
    except OSError:
        return False


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def say(line: str) -> None:
    print(line, flush=True)


def give_up(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    raise SystemExit(1)
