"""A daily command of `manage.py up` runs, ends, and waits for its day."""

import sys

import pytest

from interview import children
from interview.children import DAY_S, Daily

RUNS = "import sys; open(sys.argv[1], 'a').write('.')"


@pytest.fixture
def clock(monkeypatch):
    """Seconds that stand still until they are set."""
    now = [1000.0]
    monkeypatch.setattr(children.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def daily(tmp_path):
    command = [sys.executable, "-c", RUNS, str(tmp_path / "runs")]
    made = Daily("a daily command", command, {}, start_at=1060.0)
    yield made
    made.stop()


def looked_at(daily, clock, now):
    """As `up` looks at it: until it has ended, when it was started at all."""
    clock[0] = now
    daily.keep_alive(now)
    if daily.process:
        daily.process.wait()
        daily.keep_alive(now)


def runs(tmp_path):
    path = tmp_path / "runs"
    return len(path.read_text()) if path.exists() else 0


def test_it_runs_when_it_is_due_and_again_after_a_day(daily, clock, tmp_path):
    expected = {1000: 0, 1059: 0, 1060: 1, 1061: 1, DAY_S + 1059: 1, DAY_S + 1060: 2}
    for now, count in expected.items():
        looked_at(daily, clock, now)
        assert runs(tmp_path) == count, now


def test_a_restart_of_the_parts_is_no_reason_to_run(daily, clock, tmp_path):
    looked_at(daily, clock, 1060)
    daily.restart({"LAB_MODEL": "m"})
    looked_at(daily, clock, 1070)
    assert runs(tmp_path) == 1
    assert daily.environment == {"LAB_MODEL": "m"}


def test_one_that_fails_says_so_and_is_run_the_next_day(clock, capsys):
    daily = Daily("a daily command", [sys.executable, "-c", "exit(3)"], {})
    looked_at(daily, clock, 1000)
    assert "ended with 3" in capsys.readouterr().out
    assert daily.start_at == 1000 + DAY_S
