"""The whole product as a user starts it: `manage.py up` in a process of its own."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import httpx
import psycopg

ROOT = Path(__file__).resolve().parent.parent
CHILDREN = {
    "web": "interview.serve",
    "worker": "lab_worker",
    "endpoint": "interview.spark",
    "measure": "interview.measure",
}
SHARED = {"SECRET_KEY": "k" * 50, "ALLOWED_HOSTS": "prefill.example.org"}
ENDED = {"completed", "failed", "incomplete", "cancelled", "interrupted"}


class Site:
    """A running Prefill on a free port with data of its own."""

    def __init__(self, data, *, database_url="", arguments=(), **environment):
        self.data = Path(data)
        self.arguments = [*arguments]
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("LAB_", "PREFILL_", "DATABASE_URL", "SECRET_KEY"))
        } | {name: str(value) for name, value in environment.items()}
        if self.environment.get("PREFILL_MODE") == "shared":
            self.environment = SHARED | self.environment
        if database_url:
            self.environment["DATABASE_URL"] = database_url
        self.log = self.data.with_suffix(".log")
        self.client = httpx.Client(base_url=self.url, follow_redirects=True, timeout=10)

    def start(self):
        command = [sys.executable, str(ROOT / "manage.py"), "up"]
        command += ["--port", str(self.port), "--data", str(self.data), *self.arguments]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        eventually(self.answers, 60, lambda: f"up did not serve: {self.said()}")
        return self

    def answers(self):
        assert self.process.poll() is None, self.said()
        with contextlib.suppress(httpx.HTTPError):
            # Of a shared site a stranger is refused, which is an answer.
            return self.client.get("/").status_code in {200, 403}

    def said(self):
        return self.log.read_text(errors="replace")[-4000:]

    def stop(self):
        """End it as Ctrl-C does; returns the seconds it took."""
        started = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(15)
        self.client.close()
        return time.monotonic() - started

    def descendants(self):
        """Process id -> command of everything that `up` started, directly or not."""
        table = subprocess.run(
            ["ps", "-e", "-ww", "-o", "pid=,ppid=,command="],
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [line.split(None, 2) for line in table.stdout.splitlines()]
        found, parents = {}, {str(self.process.pid)}
        while parents:
            children = {row[0]: row[2] for row in rows if row[1] in parents}
            found |= children
            parents = set(children)
        return {int(pid): command for pid, command in found.items()}

    def pids(self, part):
        """Process ids of all that do this part."""
        found = self.descendants().items()
        return [pid for pid, command in found if CHILDREN[part] in command]

    def process_of(self, part):
        """Process id and command of one part: web, worker, endpoint or measure."""

        def look():
            for pid, command in self.descendants().items():
                if CHILDREN[part] in command:
                    return pid, command

        return eventually(look, 15, lambda: f"no {part} process: {self.said()}")

    def pid(self, part):
        return self.process_of(part)[0]

    def kill(self, part):
        pid = self.process.pid if part == "up" else self.pid(part)
        os.kill(pid, signal.SIGKILL)
        if part == "up":
            self.process.wait(10)

    def wait_for_endpoint(self):
        """Until the simulated endpoint listens (again)."""
        _, command = self.process_of("endpoint")
        port = re.search(r"--port (\d+)", command)[1]
        url = f"http://127.0.0.1:{port}/health"
        eventually(lambda: listens(url), 15, lambda: f"{url}: {self.said()}")

    def post(self, path, **fields):
        """Send a form as a browser does, with the token of its page."""
        self.client.get("/lab/")
        page = self.client.get("/lab/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
        return self.client.post(path, data={"csrfmiddlewaretoken": token, **fields})

    def run(self, **fields):
        """Queue a run; returns its slug."""
        form = {"source": "text", "prompt": "Say something long.", "freshness": "fresh"}
        form |= {"max_tokens": "64", **fields}
        answer = self.post("/lab/runs/", **form)
        assert answer.status_code == 200, answer.text[:2000]
        slug = str(answer.url).rstrip("/").rpartition("/")[2]
        assert slug != "runs", answer.text[:2000]
        return slug

    def report(self, slug):
        return self.client.get(f"/lab/runs/{slug}.json").json()

    def status(self, slug):
        with contextlib.suppress(httpx.HTTPError):
            answer = self.client.get(f"/lab/runs/{slug}.json")
            if answer.status_code == 200:
                return answer.json()["run"]["status"]

    def tokens(self, slug):
        """How many tokens the log of a run holds by now."""
        with contextlib.suppress(httpx.HTTPError):
            log = self.client.get(f"/lab/runs/{slug}/log.json").json()
            events = [event for _, batch in log["batches"] for event in batch]
            return sum(event["n"] for event in events if event["k"] == "tokens")

    def wait_for(self, slug, statuses=ENDED, seconds=40):
        eventually(
            lambda: self.status(slug) in statuses,
            seconds,
            lambda: f"run is {self.status(slug)}, not {statuses}: {self.said()}",
        )
        return self.status(slug)

    def wait_for_tokens(self, slug, count):
        eventually(
            lambda: (self.tokens(slug) or 0) >= count,
            40,
            lambda: f"no {count} tokens ({self.status(slug)}): {self.said()}",
        )


@contextlib.contextmanager
def running_site(database_url="", **options):
    """A started Site with a temporary data folder and a database of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="prefill-site-") as folder,
        own_database(database_url) as url,
    ):
        site = Site(Path(folder) / "data", database_url=url, **options)
        try:
            yield site.start()
        finally:
            site.stop()


@contextlib.contextmanager
def own_database(server_url):
    """A fresh database on the server of `server_url`; "" stays "" (SQLite)."""
    if not server_url:
        yield ""
        return
    name = f"site_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        base, _, query = server_url.partition("?")
        yield f"{base.rpartition('/')[0]}/{name}?{query}"
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def eventually(look, seconds, complaint):
    """The first true answer of `look`, asked until `seconds` have gone."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, complaint()
        time.sleep(0.05)
    return found


def listens(url):
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(url).status_code == 200


def free_port():
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return trial.getsockname()[1]
