"""The web server's process: how it ends."""

import contextlib
import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.live_site import ROOT, eventually, free_port


@contextlib.contextmanager
def serving(data):
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "interview.serve", "--stop-on-eof", f"--port={port}"],
        cwd=ROOT,
        env=os.environ | {"PREFILL_DATA": str(data)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        eventually(lambda: listens(port), 30, lambda: "the server does not listen")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stderr.close()


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True


# uvicorn raises SIGTERM again when it has stopped, and swallows Ctrl-C.
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 0)]
)
def test_a_signal_ends_a_server_that_listens_for_its_parent(tmp_path, number, status):
    with serving(tmp_path) as process:
        process.send_signal(number)
        assert process.wait(10) == status
        assert b"Fatal Python error" not in process.stderr.read()


def test_the_end_of_its_parent_ends_the_server(tmp_path):
    with serving(tmp_path) as process:
        process.stdin.close()
        process.wait(10)
        assert b"Fatal Python error" not in process.stderr.read()
