"""The simulated server as a process of its own, and raw HTTP to talk to it."""

import json
import socket
import subprocess
import sys
import urllib.request
from urllib.parse import urlsplit


class SparkProcess:
    """A server on a free port; 50 times faster than real."""

    def __init__(self, *flags, speed=50):
        command = [sys.executable, "-m", "interview.spark", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--speed", str(speed), "--stop-on-eof", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ready_line = self.process.stdout.readline()
        self.url = self.ready_line.split()[-1]
        self.port = urlsplit(self.url).port

    def stop(self):
        """Ends it as the death of its parent would; the exit status."""
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=10)

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return answer.read().decode()

    def ask(self, path, body=None, **kwargs):
        """Status, headers and the whole body of one request."""
        with self.open(path, body, **kwargs) as connection:
            return (*connection.head(), b"".join(connection.chunks()))

    def post(self, path, body):
        status, _, answer = self.ask(path, body)
        assert status == 200, answer
        return json.loads(answer)

    def open(self, path, body=None, **kwargs):
        return RawConnection(self.port, path, body, **kwargs)

    def stream(self, path, body):
        """The events of a stream, as the text behind `data: `."""
        _, headers, data = self.ask(path, {**body, "stream": True})
        assert headers["content-type"] == "text/event-stream; charset=utf-8"
        return events_of(data)

    def gauge(self, name):
        return self.samples()[name]

    def samples(self):
        """Sums of all samples of a metric, by its name."""
        found = {}
        for line in self.get("/metrics").splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                name = name.split("{")[0]
                found[name] = found.get(name, 0) + float(value)
        return found


def events_of(data):
    blocks = data.decode().split("\n\n")
    assert blocks.pop() == ""
    assert all(block.startswith("data: ") for block in blocks)
    return [block.removeprefix("data: ") for block in blocks]


def chunks_of(events):
    """Parsed events without the closing word."""
    assert events[-1] == "[DONE]"
    return [json.loads(event) for event in events[:-1]]


def content_of(chunks, field="content"):
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks if chunk["choices"]]
    return "".join(delta.get(field) or "" for delta in deltas)


class RawConnection:
    """One request on a bare socket; sees HTTP chunks as they were written."""

    def __init__(self, port, path, body=None, method=None, headers=()):
        data = b"" if body is None else body
        if not isinstance(data, bytes):
            data = json.dumps(body).encode()
        lines = [
            f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1",
            "host: test",
            f"content-length: {len(data)}",
            *(f"{name}: {value}" for name, value in dict(headers).items()),
        ]
        if body is not None and "content-type" not in dict(headers):
            lines.append("content-type: application/json")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + data)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def head(self):
        status = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        self.headers = headers
        return status, headers

    def chunks(self):
        """The parts of the body; HTTP chunks one by one."""
        if "content-length" in self.headers:
            yield self.file.read(int(self.headers["content-length"]))
            return
        while size := int(self.file.readline(), 16):
            yield self.file.read(size)
            self.file.readline()
        self.file.readline()
