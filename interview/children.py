"""A child process of `manage.py up`: one kept alive, or one that works once a day."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STOP_SECONDS = 4.0
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
DAY_S = 86_400.0


@dataclass(slots=True)
class Child:
    """One child process, started again when it dies."""

    name: str
    command: list[str]
    environment: dict[str, str]
    sockets: tuple[int, ...] = ()
    """File numbers that it inherits."""
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
            pass_fds=self.sockets,
            # Ctrl-C reaches the whole terminal group; stopping is ours to order.
            start_new_session=True,
        )

    def keep_alive(self, now: float) -> None:
        if self.process is None:
            if now >= self.start_at:
                self.start()
        elif (code := self.process.poll()) is not None:
            print(f"The {self.name} ended with {code}; starting it again.", flush=True)
            lived = now - self.start_at
            self.process = None
            self.start_at = now + self.pause
            died_young = lived < LONGEST_PAUSE
            self.pause = (
                min(self.pause * 2, LONGEST_PAUSE) if died_young else FIRST_PAUSE
            )

    def restart(self, environment: dict[str, str]) -> None:
        """Start it anew with another environment."""
        self.environment = environment
        self.stop()
        self.ended_by(time.monotonic() + STOP_SECONDS)
        self.process, self.start_at = None, 0.0

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


@dataclass(slots=True)
class Daily(Child):
    """A command that comes to its end, and is run again a day later."""

    def keep_alive(self, now: float) -> None:
        if self.process is None:
            if now >= self.start_at:
                self.start()
        elif (code := self.process.poll()) is not None:
            if code:
                print(f"The {self.name} ended with {code}; see above.", flush=True)
            self.process.communicate()  # closes the pipe
            self.process, self.start_at = None, self.start_at + DAY_S

    def restart(self, environment: dict[str, str]) -> None:
        """It goes on by its day: only its next run has the other environment."""
        self.environment = environment
