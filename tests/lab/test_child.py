"""The measuring process: lines at every cut, a clean environment, its ends."""

import json
import sys
import time

from interview.lab.measuring.child import Child, LineSplitter, clean_environment


def child(program):
    return Child({"url": "u"}, (sys.executable, "-c", program))


def drained(running, seconds=10):
    lines, deadline = [], time.monotonic() + seconds
    while not running.is_silent and time.monotonic() < deadline:
        lines += running.lines(0.05)
    return lines


def test_lines_are_the_same_wherever_the_bytes_are_cut():
    whole = '{"text": "né\u2028 \\n"}\n{}\n{"a": 1}\n'.encode()
    for cut in range(len(whole) + 1):
        splitter = LineSplitter()
        lines = splitter.feed(whole[:cut]) + splitter.feed(whole[cut:])
        assert lines == whole.split(b"\n")[:-1]


def test_a_line_may_be_longer_than_any_buffer():
    running = child("print('x' * 300_000, flush=True)")
    assert [len(line) for line in drained(running)] == [300_000]
    assert running.wait() == 0


class Counted(bytes):
    """Counts the bytes that are copied out of it, and out of what it is added to."""

    copied = 0

    def split(self, *arguments):
        Counted.copied += len(self)
        return [Counted(part) for part in super().split(*arguments)]

    def __radd__(self, before):
        Counted.copied += len(before) + len(self)
        return Counted(bytes(before) + bytes(self))

    def __add__(self, after):
        return Counted(after).__radd__(self)


def test_the_cost_of_a_long_line_grows_with_its_length_alone():
    splitter, portions = LineSplitter(), 500
    for _ in range(portions):
        assert splitter.feed(Counted(b"x" * 100)) == []
    assert splitter.feed(Counted(b"y\nz")) == [b"x" * 100 * portions + b"y"]
    assert splitter.feed(b"\n") == [b"z"]
    assert Counted.copied < 2 * 100 * portions


def test_a_last_line_without_its_end_is_no_line():
    running = child('import sys; sys.stdout.write(\'{}\\n{"k": "tok\')')
    assert drained(running) == [b"{}"]
    running.wait()


def test_the_child_gets_the_spec_over_stdin():
    running = child("print(input())")
    assert [json.loads(line) for line in drained(running)] == [{"url": "u"}]
    assert running.wait() == 0


def test_closing_stdin_asks_the_child_to_stop():
    program = "import sys; sys.stdin.read(); print('bye')"
    running = child(program)
    running.stop()
    assert drained(running) == [b"bye"]
    assert running.wait() == 0


def test_a_killed_child_is_told_by_its_status():
    running = child("import time; print('up', flush=True); time.sleep(60)")
    while not list(running.lines(0.1)):
        pass
    running.kill()
    drained(running)
    assert running.wait() == -9


def test_a_child_that_reads_nothing_is_no_error():
    running = child("import os; os.close(0); raise SystemExit(4)")
    drained(running)
    assert running.wait() == 4


def test_its_last_words_are_kept_for_the_log():
    running = child("import sys; sys.stderr.write('x' * 9000 + 'reason')")
    drained(running)
    running.wait()
    deadline = time.monotonic() + 5
    while not running.last_words.endswith("reason"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert len(running.last_words) <= 4000


def test_nothing_secret_is_in_its_environment():
    ours = {"PATH": "/bin", "LAB_API_KEY": "k", "DATABASE_URL": "d", "HTTP_PROXY": "p"}
    assert clean_environment(ours) == {"PATH": "/bin", "PYTHONUTF8": "1"}
