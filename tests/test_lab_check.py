"""`manage.py lab check` tells misconfigurations apart, each with what to do.

In front of the simulated endpoint stands a small server with one knob per fault, as a
proxy that somebody set up wrong.
"""

import contextlib
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import trustme

from tests.live_site import ROOT, eventually, free_port, listens

MODEL = "Qwen/Qwen3-30B-A3B-simulated"
KEY = "sk-very-secret"
FINDING = re.compile(r"(ok|wrong) +(\S+(?: token)?)  +(.*)")


@pytest.fixture(scope="module")
def spark():
    """The port of a simulated endpoint that asks for a key."""
    port = free_port()
    command = [sys.executable, "-m", "interview.spark", "--port", str(port)]
    command += ["--api-key", KEY]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        url = f"http://127.0.0.1:{port}"
        eventually(lambda: listens(f"{url}/health"), 20, lambda: "no simulator")
        yield port
        process.terminate()


@dataclass
class Door:
    """A proxy before the endpoint, and what it does wrong."""

    to: int
    closed: tuple = ()
    """Paths that it does not pass."""
    prefix: str = ""
    """The path below which it has the API."""
    redirect: str = ""
    drops: tuple = ()
    """Fields of a request that it takes away."""

    def answer(self, handler, body):
        path = handler.path
        if self.redirect:
            reply(handler, 307, {"Location": self.redirect + path}, b"")
        elif path in self.closed or not path.startswith(self.prefix):
            reply(handler, 404, {}, b"<html><h1>Not Found</h1></html>")
        else:
            self.pass_on(handler, path.removeprefix(self.prefix), body)

    def pass_on(self, handler, path, body):
        if body and self.drops:
            fields = json.loads(body)
            body = json.dumps({k: v for k, v in fields.items() if k not in self.drops})
        given = ("Authorization", "Content-Type")
        headers = {
            name: handler.headers[name] for name in given if handler.headers[name]
        }
        upstream = http.client.HTTPConnection("127.0.0.1", self.to, timeout=20)
        with contextlib.closing(upstream):
            upstream.request(handler.command, path, body or None, headers)
            answer = upstream.getresponse()
            kind = {"Content-Type": answer.headers.get("Content-Type", "text/plain")}
            handler.send_response(answer.status)
            for name, value in kind.items():
                handler.send_header(name, value)
            handler.end_headers()
            while portion := answer.read1(65536):
                handler.wfile.write(portion)


def reply(handler, status, headers, body):
    handler.send_response(status)
    for name, value in (headers | {"Content-Length": str(len(body))}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


@contextlib.contextmanager
def standing(door, tls=None):
    """The port of the door."""

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self):
            length = int(self.headers.get("Content-Length", 0))
            door.answer(self, self.rfile.read(length))

        do_GET = do_POST = handle_any

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *arguments: None
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def check(url, **settings):
    """What `lab check` says: exit status, findings by what they are about, all text."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("LAB_", "PREFILL_M"))
    }
    wanted = {"LAB_URL": url, "LAB_MODEL": MODEL, "LAB_API_KEY": KEY} | settings
    result = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "lab", "check"],
        cwd=ROOT,
        env=kept | wanted,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in result.stderr, result.stderr
    assert KEY not in result.stdout + result.stderr
    found = [FINDING.match(line) for line in result.stdout.splitlines()]
    said = {line[2]: (line[1], line[3]) for line in found if line}
    return result.returncode, said, result.stdout + result.stderr


def wrong(said):
    return [what for what, (mark, _) in said.items() if mark == "wrong"]


def test_all_is_well_with_the_simulated_endpoint(spark):
    status, said, text = check(f"http://127.0.0.1:{spark}/v1")
    assert (status, wrong(said)) == (0, []), text
    assert list(said) == [
        "address", "model", "version", "one token", "usage", "/tokenize", "/metrics",
    ]  # fmt: skip
    assert said["model"][1] == MODEL
    assert re.match(r"the first of \d+ tokens after \d+ ms$", said["one token"][1])


def test_all_is_well_through_a_door_that_changes_nothing(spark):
    with standing(Door(spark)) as port:
        status, said, text = check(f"http://127.0.0.1:{port}")
    assert (status, wrong(said)) == (0, []), text


def test_a_wrong_port():
    status, said, text = check(f"http://127.0.0.1:{free_port()}")
    assert (status, wrong(said)) == (1, ["address"])
    assert said["address"][1].startswith("Could not connect to")
    assert "correct host and port in LAB_URL" in text


def test_a_port_of_something_else(spark):
    with standing(Door(spark, prefix="/nothing-here")) as port:
        status, said, text = check(f"http://127.0.0.1:{port}")
    assert (status, wrong(said)) == (1, ["path"])
    assert "404 to" in said["path"][1]
    assert "Not Found" in said["path"][1]
    assert "a server with OpenAI's API" in text


def test_a_wrong_path(spark):
    status, said, text = check(f"http://127.0.0.1:{spark}/vllm/v1")
    assert (status, wrong(said)) == (1, ["path"])
    assert f"set LAB_URL=http://127.0.0.1:{spark}\n" in text


def test_a_path_that_is_needed_is_no_fault(spark):
    with standing(Door(spark, prefix="/vllm")) as port:
        status, said, text = check(f"http://127.0.0.1:{port}/vllm/v1")
    assert (status, wrong(said)) == (0, []), text


def test_a_wrong_model(spark):
    status, said, text = check(f"http://127.0.0.1:{spark}", LAB_MODEL="gpt-5")
    assert (status, wrong(said)) == (1, ["model"])
    assert said["model"][1] == f"gpt-5; served here: {MODEL}"
    assert "Set LAB_MODEL" in text


def test_a_model_that_is_not_named_is_the_first_served(spark):
    status, said, _ = check(f"http://127.0.0.1:{spark}", LAB_MODEL="")
    assert (status, wrong(said)) == (0, [])
    assert "LAB_MODEL is not set" in said["model"][1]


@pytest.mark.parametrize(
    ("key", "sentence"), [("wrong", "It refuses LAB_API_KEY"), ("", "It wants a key")]
)
def test_a_wrong_key(spark, key, sentence):
    status, said, text = check(f"http://127.0.0.1:{spark}", LAB_API_KEY=key)
    assert (status, wrong(said)) == (1, ["key"])
    assert said["key"][1].startswith("401 to ")
    assert sentence in text


def test_no_usage_in_the_stream(spark):
    with standing(Door(spark, drops=("stream_options",))) as port:
        status, said, text = check(f"http://127.0.0.1:{port}")
    assert (status, wrong(said)) == (1, ["usage"])
    assert "continuous_usage_stats" in text


def test_closed_metrics(spark):
    with standing(Door(spark, closed=("/metrics",))) as port:
        status, said, text = check(f"http://127.0.0.1:{port}")
    assert (status, wrong(said)) == (1, ["/metrics"])
    assert "let the proxy pass /metrics" in text


def test_closed_helpers_of_vllm_are_told_apart(spark):
    with standing(Door(spark, closed=("/tokenize", "/version"))) as port:
        status, said, _ = check(f"http://127.0.0.1:{port}")
    assert (status, wrong(said)) == (1, ["version", "/tokenize"])


def test_a_redirect(spark):
    with standing(Door(spark, redirect="https://llm.example.org")) as port:
        status, said, text = check(f"http://127.0.0.1:{port}")
    assert (status, wrong(said)) == (1, ["redirect"])
    assert "set LAB_URL=https://llm.example.org\n" in text


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


def context(authority, name):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(tls)
    return tls


def test_a_certificate_that_is_not_trusted(spark, authority, tmp_path):
    with standing(Door(spark), context(authority, "localhost")) as port:
        status, said, text = check(f"https://localhost:{port}")
        assert (status, wrong(said)) == (1, ["TLS"])
        assert "is not trusted" in said["TLS"][1]
        assert "SSL_CERT_FILE" in text
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        trusted = {"SSL_CERT_FILE": str(tmp_path / "ca.pem")}
        status, said, text = check(f"https://localhost:{port}", **trusted)
        assert (status, wrong(said)) == (0, []), text


def test_a_certificate_for_another_name(spark, authority, tmp_path):
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trusted = {"SSL_CERT_FILE": str(tmp_path / "ca.pem")}
    with standing(Door(spark), context(authority, "spark.example.org")) as port:
        status, said, _ = check(f"https://localhost:{port}", **trusted)
    assert (status, wrong(said)) == (1, ["TLS"])
    assert "localhost" in said["TLS"][1]


def test_tls_where_there_is_none(spark):
    status, said, text = check(f"https://127.0.0.1:{spark}")
    assert (status, wrong(said)) == (1, ["TLS"])
    assert "Write LAB_URL with http://" in text


def test_no_tls_where_there_is_some(spark, authority):
    with standing(Door(spark), context(authority, "localhost")) as port:
        status, said, text = check(f"http://localhost:{port}")
    assert (status, wrong(said)) == (1, ["address"])
    assert "LAB_URL with https://" in text


def test_no_endpoint_at_all_is_a_sentence():
    status, said, text = check("")
    assert (status, said) == (1, {})
    assert "No endpoint is set" in text
