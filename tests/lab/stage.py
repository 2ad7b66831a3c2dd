"""A worker at work against a scripted server, and what a test waits for."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from django.db import connection, connections
from django.utils import timezone

from interview.lab.endpoint import Endpoint
from interview.lab.measuring.worker import LabWorker
from interview.lab.models import Run
from interview.lab.runs.spec import Spec
from tests.lab.scripted import MODEL, serving

PROGRAM = Path(__file__).with_name("worker_process.py")
ROOT = PROGRAM.parents[2]


class Lab:
    def __init__(self, person, settings, script):
        self.person, self.settings, self.script = person, settings, script

    def __enter__(self):
        self.serving = serving(self.script)
        url, self.endpoint = self.serving.__enter__()
        self.settings.LAB_URL, self.settings.LAB_MODEL = url, MODEL
        return self

    def __exit__(self, *error):
        return self.serving.__exit__(*error)

    def run(self, **spec):
        spec = Spec(**{"prompt": "Why?", "max_tokens": 50} | spec)
        return Run.objects.queue(self.person, spec, timezone.now())


class working:
    """A worker in a thread, left at the end."""

    def __enter__(self):
        self.worker = LabWorker(Endpoint.current())
        self.thread = threading.Thread(target=self.work)
        self.thread.start()
        return self.worker

    def work(self):
        try:
            self.worker.work()
        finally:
            connections.close_all()

    def __exit__(self, *error):
        self.worker.leave()
        self.thread.join(20)
        assert not self.thread.is_alive()


class process:
    """A worker in a process of its own."""

    def __init__(self, *arguments, stdin=subprocess.DEVNULL, stderr=None):
        self.arguments, self.stdin, self.stderr = arguments, stdin, stderr

    def __enter__(self):
        name = str(connection.settings_dict["NAME"])
        endpoint = Endpoint.current()
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, name, *self.arguments],
            cwd=ROOT,
            env=os.environ
            | {
                "LAB_URL": endpoint.url,
                "LAB_MODEL": endpoint.model,
                "PYTHONPATH": str(ROOT),
            },
            stdin=self.stdin,
            stderr=self.stderr,
        )
        return self.process

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        for pipe in filter(None, (self.process.stdin, self.process.stderr)):
            pipe.close()


def ended(run, seconds=30):
    """The run, once it is over."""
    return until(run, lambda now: now.is_over, seconds)


def streaming(run, seconds=30):
    """The run, once its first tokens are stored."""
    return until(run, lambda now: tokens_of(now) > 2, seconds)


def until(run, is_so, seconds):
    deadline = time.monotonic() + seconds
    while not is_so(now := Run.objects.get(pk=run.pk)):
        assert time.monotonic() < deadline, (now.status, now.error)
        time.sleep(0.05)
    return now


def tokens_of(run):
    return sum(event["n"] for event in run.events() if event["k"] == "tokens")


def first_request(run):
    return run.report["requests"][0]
