"""What the two-phases card page costs, beside an empty view, and what it weighs.

Run by hand: `.venv/bin/python tests/bench/card_page.py [--rounds 8] [--seconds 1]`.
The empty view answers behind the same middleware, in the same uvicorn.
"""

import argparse
import contextlib
import gzip
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urljoin

ROOT = Path(__file__).resolve().parents[2]
CARD = "/cards/two-phases-of-a-request/"
EMPTY = "/bench-empty/"
LEAST_RATIO = 0.7
MOST_BYTES = 100_000
CONNECTIONS = 2
ASSET = re.compile(
    r'<link rel="(?:stylesheet|icon)" href="([^"]+)"|<script src="([^"]+)"'
)
IMPORT = re.compile(r'from\s*"(\./[^"]+)"')


def application():
    """The site with one more address, which answers with nothing."""
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
    from django.core.asgi import get_asgi_application

    application = get_asgi_application()
    from django.http import HttpResponse
    from django.urls import path

    from interview import urls

    urls.urlpatterns.append(path(EMPTY[1:], lambda request: HttpResponse()))
    return application


@contextlib.contextmanager
def site():
    """A fresh installation, served by uvicorn in a child; yields its port."""
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        environment = os.environ | {
            "PREFILL_DATA": data,
            "LAB_URL": "http://127.0.0.1:9",
            "LAB_MODEL": "a-model-simulated",
        }
        python = [sys.executable, "-W", "ignore"]
        subprocess.run(
            [*python, "manage.py", "prepare"], cwd=ROOT, env=environment, check=True
        )
        command = [*python, "-m", "uvicorn", "card_page:application", "--factory"]
        command += ["--app-dir", str(Path(__file__).parent), "--lifespan", "off"]
        command += ["--no-access-log", "--log-level", "warning"]
        # Not --fd: uvicorn takes such a socket for a Unix one and leaves Nagle's
        # algorithm on, which holds every page for 40 ms.
        child = subprocess.Popen(
            [*command, "--port", str(port)], cwd=ROOT, env=environment
        )
        try:
            wait_for(port)
            yield port
        finally:
            child.terminate()
            child.wait(10)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, seconds=30):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.1)
    raise TimeoutError(f"No server on port {port} after {seconds} s.")


def request_bytes(path, extra=""):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{extra}\r\n".encode()


def answer(stream):
    """Status, headers and body of one response with a Content-Length."""
    status = stream.readline().split()[1]
    headers = {}
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0)))
    return int(status), headers, body


def count_for(port, path, cookie, seconds):
    """Answered requests per second over a few kept connections.

    Every response to one request has the same length, so the client only counts bytes:
    what it costs itself would be taken for the server's.
    """
    asked = request_bytes(path, cookie)
    counts = []

    def ask():
        until, count = time.monotonic() + seconds, 0
        with socket.create_connection(("127.0.0.1", port)) as connection:
            size = len(first_response(connection, asked))
            while time.monotonic() < until:
                connection.sendall(asked)
                left = size
                while left:
                    left -= len(connection.recv(left))
                count += 1
        counts.append(count)

    threads = [threading.Thread(target=ask) for _ in range(CONNECTIONS)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - started)


def first_response(connection, asked):
    connection.sendall(asked)
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.split()[1] == b"200", head
    size = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])
    while len(body) < size:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def fetch(port, path):
    """Body, headers, and the bytes of the whole response as a browser gets it."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        extra = "Accept-Encoding: gzip\r\nConnection: close\r\n"
        connection.sendall(request_bytes(path, extra))
        status, headers, body = answer(connection.makefile("rb"))
    assert status == 200, f"{path}: {status}"
    head = sum(len(name) + len(value) + 4 for name, value in headers.items())
    packed = headers.get("content-encoding") == "gzip"
    text = (gzip.decompress(body) if packed else body).decode()
    return text, headers, head + len(body)


def weigh(port):
    """Bytes on the wire by path: the page, its styles, scripts and icon."""
    html, _, size = fetch(port, CARD)
    sizes = {CARD: size}
    waiting = [found[1] or found[2] for found in ASSET.finditer(html)]
    while waiting:
        path = waiting.pop()
        if path in sizes:
            continue
        text, _, sizes[path] = fetch(port, path)
        if path.endswith(".js"):
            waiting += [urljoin(path, found) for found in IMPORT.findall(text)]
    return sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    with site() as port:
        cookie = f"Cookie: {fetch(port, CARD)[1]['set-cookie'].split(';')[0]}\r\n"
        sizes = weigh(port)
        rounds = [
            [count_for(port, path, cookie, options.seconds) for path in (EMPTY, CARD)]
            for _ in range(options.rounds)
        ]
    # The best round of each is the one that other work on the machine disturbed least.
    empty, card = (max(column) for column in zip(*rounds, strict=True))
    ratio = card / empty
    total = sum(sizes.values())
    for path, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size:9,} B  {path}")
    print(f"empty view {empty:,.0f}/s, card page {card:,.0f}/s")
    met = ratio >= LEAST_RATIO
    light = total < MOST_BYTES
    print(f"ratio {ratio:.2f}, at least {LEAST_RATIO}: {'met' if met else 'NOT MET'}")
    print(
        f"first load without fonts {total:,} B in {len(sizes)} requests, "
        f"under {MOST_BYTES:,}: {'met' if light else 'NOT MET'}"
    )
    return 0 if met and light else 1


if __name__ == "__main__":
    sys.exit(main())
