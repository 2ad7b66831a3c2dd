"""The measurement as a child process in spec mode."""

import json
import subprocess
import sys
from contextlib import suppress


class Child:
    """A measurement in spec mode; a context that leaves no process behind."""

    def __init__(self, spec):
        line = spec if isinstance(spec, bytes) else json.dumps(spec).encode() + b"\n"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interview.measure", "--spec", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(BrokenPipeError):
                pipe.close()

    def stop(self):
        self.process.stdin.close()

    def until(self, wanted):
        """Events up to and with the first that is wanted."""
        events = []
        for line in self.process.stdout:
            events.append(json.loads(line))
            if wanted(events[-1]):
                return events
        raise AssertionError(f"not told: {events}")

    def rest(self):
        return [json.loads(line) for line in self.process.stdout]

    def status(self):
        return self.process.wait(20)
