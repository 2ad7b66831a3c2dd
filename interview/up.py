"""`manage.py up`: prepares the data and runs web, lab workers and simulated endpoint.

It knows processes, not Django: what needs the database runs as a command of its own.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import httpx

from . import tally
from .children import ROOT, STOP_SECONDS, Child, Daily
from .data_folder import check_writable, only_one
from .endpoint import describe
from .giving_up import give_up, say
from .listening import address, is_loopback, listen

MANAGE = [sys.executable, str(ROOT / "manage.py")]
LOOK_EVERY_S = 3.0
RETENTION_AFTER_S = 60.0
"""After the start, so that it holds up no page; then once a day."""


@dataclass(frozen=True, slots=True)
class Options:
    host: str
    port: int
    data: Path
    web: int
    """Web processes."""
    workers: int
    """Lab workers."""
    shared: bool
    https: bool
    sqlite: bool
    lab_url: str
    lab_model: str
    lab_key: str


def up(options: Options) -> None:
    """Run until Ctrl-C or SIGTERM; exit with a sentence when it cannot start."""
    check_host(options)
    check_web(options)
    check_writable(options.data)
    with only_one(options.data), listen(options.host, options.port) as listener:
        environment = os.environ | {"PREFILL_DATA": str(options.data)}
        prepare(environment)
        tally.forget(options.data / tally.FOLDER)
        children: list[Child] = []
        if options.lab_url:
            if options.lab_model:
                check_model(options)
            environment |= {"LAB_MODEL": options.lab_model or first_model(options)}
        else:
            spark, settings = simulator(environment)
            environment |= settings
            children.append(spark)
        children += [web(options, environment, listener) for _ in range(options.web)]
        children.append(retention(environment))
        supervise(children, environment, options, listener)


def check_host(options: Options) -> None:
    if is_loopback(options.host):
        return
    if not options.shared:
        give_up(
            f"{options.host} is not this machine's loopback address. Without sign-in "
            "everybody who reaches Prefill is its owner: use --host 127.0.0.1, or set "
            "PREFILL_MODE=shared for an installation that people sign in to."
        )
    if not options.https:
        say(
            "Passwords go over the network in the clear: put TLS in front, then set "
            "PREFILL_HTTPS=1 (docs/deploy.md)."
        )


def check_web(options: Options) -> None:
    if options.web > 1 and options.sqlite:
        give_up(
            f"{options.web} web processes need PostgreSQL: set DATABASE_URL, or leave "
            "--web out to run one on SQLite."
        )


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


def web(
    options: Options, environment: dict[str, str], listener: socket.socket
) -> Child:
    command = [sys.executable, "-m", "interview.serve", "--stop-on-eof"]
    name = "web server" if options.web == 1 else "web process"
    if os.name == "nt":  # no socket can be handed on there
        listener.close()
        command += ["--host", options.host, "--port", str(options.port)]
        return Child(name, command, environment)
    command += ["--fd", str(listener.fileno())]
    return Child(name, command, environment, (listener.fileno(),))


def retention(environment: dict[str, str]) -> Daily:
    return Daily(
        "deletion of old interviews",
        [*MANAGE, "bank_retention"],
        environment,
        start_at=time.monotonic() + RETENTION_AFTER_S,
    )


def lab_workers(options: Options, environment: dict[str, str]) -> list[Child]:
    command = [*MANAGE, "lab_worker", "--stop-on-eof"]
    return [Child("lab worker", command, environment) for _ in range(options.workers)]


def supervise(
    children: list[Child],
    environment: dict[str, str],
    options: Options,
    listener: socket.socket,
) -> None:
    stopping = False

    def ask(signum: int, frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGTERM, ask)
    threading.Thread(target=announce, args=(options,), daemon=True).start()
    looked_at = time.monotonic()
    # A worker needs to know what to ask for.
    waits_for_model = not environment["LAB_MODEL"]
    if not waits_for_model:
        children += lab_workers(options, environment)
    try:
        while not stopping:
            now = time.monotonic()
            for child in children:
                child.keep_alive(now)
            if waits_for_model and now - looked_at > LOOK_EVERY_S:
                looked_at = now
                waits_for_model = not found_model(children, environment, options)
            time.sleep(0.1)
    finally:
        listener.close()
        stop(children)


def stop(children: list[Child]) -> None:
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
    children += lab_workers(options, environment)
    return True


def announce(options: Options) -> None:
    """Say the address once somebody answers there."""
    url = address(options.host, options.port)
    while True:
        try:
            headers = {"Host": "localhost"}
            httpx.get(f"{url}healthz", headers=headers, timeout=5, trust_env=False)
        except httpx.HTTPError:
            time.sleep(0.2)
        else:
            say(f"Prefill is at {url}   (stop it with Ctrl-C)")
            return
