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

from .endpoint import describe

ROOT = Path(__file__).resolve().parent.parent
MANAGE = [sys.executable, str(ROOT / "manage.py")]
STOP_SECONDS = 4.0
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0


@dataclass(frozen=True, slots=True)
class Options:
    host: str
    port: int
    data: Path
    worker: bool
    lab_url: str
    lab_model: str
    lab_key: str


@dataclass(slots=True)
class Child:
    """One child process, started again when it dies."""

    name: str
    command: list[str]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    start_at: float = 0.0
    """When it started or may start again, on the monotonic clock."""
    pause: float = FIRST_PAUSE
    """Before its next start; doubles while it dies young."""

    def start(self) -> None:
        self.start_at = time.monotonic()
        # The pipe is never written: its end of file tells the child that we are gone.
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            # Ctrl-C reaches the whole terminal group; stopping is ours to order.
            start_new_session=True,
        )

    def keep_alive(self, now: float) -> None:
        if self.process is None:
            if now >= self.start_at:
                self.start()
        elif (code := self.process.poll()) is not None:
            say(f"The {self.name} ended with {code}; starting it again.")
            lived = now - self.start_at
            self.process = None
            self.start_at = now + self.pause
            died_young = lived < LONGEST_PAUSE
            self.pause = (
                min(self.pause * 2, LONGEST_PAUSE) if died_young else FIRST_PAUSE
            )

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()

    def ended_by(self, deadline: float) -> None:
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


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
            environment |= endpoint_settings(options)
        else:
            spark, settings = simulator(environment)
            environment |= settings
            children.append(spark)
        children.append(web(options, environment))
        if options.worker:
            children.append(
                Child(
                    "lab worker", [*MANAGE, "lab_worker", "--stop-on-eof"], environment
                )
            )
        supervise(
            children, f"http://{bracketed(options.host)}:{options.port}/", options
        )


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


def endpoint_settings(options: Options) -> dict[str, str]:
    """The model to ask for, and a sentence when the endpoint does not answer."""
    found = describe(options.lab_url, options.lab_key)
    if found.problem:
        say(f"The lab's endpoint {options.lab_url} {found.problem}")
    if options.lab_model and found.models and options.lab_model not in found.models:
        say(
            f"The lab's endpoint has no model {options.lab_model}; it serves "
            f"{', '.join(found.models)}. Set LAB_MODEL to one of them."
        )
    return {"LAB_MODEL": options.lab_model or next(iter(found.models), "")}


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
    return child, {"LAB_URL": url, "LAB_MODEL": found.models[0]}


def web(options: Options, environment: dict[str, str]) -> Child:
    command = [sys.executable, "-m", "interview.serve", "--stop-on-eof"]
    command += ["--host", options.host, "--port", str(options.port)]
    return Child("web server", command, environment)


def supervise(children: list[Child], address: str, options: Options) -> None:
    stopping = False

    def ask(signum: int, frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGTERM, ask)
    announced = False
    try:
        while not stopping:
            for child in children:
                child.keep_alive(time.monotonic())
            if not announced and listening(options.host, options.port):
                say(f"Prefill is at {address}   (stop it with Ctrl-C)")
                announced = True
            time.sleep(0.1)
    finally:
        for child in children:
            child.stop()
        deadline = time.monotonic() + STOP_SECONDS
        for child in children:
            child.ended_by(deadline)


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
