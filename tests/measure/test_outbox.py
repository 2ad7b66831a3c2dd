import queue
import threading
import time

from interview.measure.outbox import Outbox


class Reader:
    """Takes what is written once it is let go."""

    def __init__(self, *, stalled=False, portion=None):
        self.go = threading.Event()
        self.got = b""
        self._portion = portion
        if not stalled:
            self.go.set()

    def write(self, data):
        self.go.wait(10)
        taken = bytes(data)[: self._portion]
        self.got += taken
        return len(taken)


def refuse():
    raise AssertionError("the outbox failed")


def test_lines_come_in_order():
    reader = Reader()
    outbox = Outbox(reader.write, refuse)
    for number in range(100):
        outbox.put(b"%d\n" % number)
    assert outbox.close(b"last\n")
    assert reader.got == b"".join(b"%d\n" % n for n in range(100)) + b"last\n"


def test_a_reader_of_small_portions_gets_all():
    reader = Reader(portion=7)
    outbox = Outbox(reader.write, refuse)
    outbox.put(b"x" * 1000 + b"\n")
    assert outbox.close()
    assert reader.got == b"x" * 1000 + b"\n"


def test_put_never_waits_for_a_stalled_reader():
    reader = Reader(stalled=True)
    outbox = Outbox(reader.write, refuse)
    for _ in range(1000):
        outbox.put(b"y" * 1000 + b"\n")
    assert not outbox.full
    assert not outbox.close(wait_s=0.05)
    reader.go.set()
    assert outbox.close()
    assert len(reader.got) == 1001 * 1000


def test_a_slow_reader_of_a_large_last_line_is_waited_for():
    steps = iter(range(1000))

    def write(data):
        threading.Event().wait(0.04)
        next(steps)
        return len(bytes(data)[:10])

    outbox = Outbox(write, refuse)
    assert outbox.close(b"r" * 199 + b"\n", wait_s=0.5)
    assert next(steps) == 20


class ClosedJustNow(threading.Event):
    """Is set after its waiter gave up and before the waiter goes on."""

    def __init__(self, close):
        super().__init__()
        self._close = close

    def wait(self, timeout=None):
        if not self.is_set():
            threading.Thread(target=self._close).start()
            super().wait(10)
            time.sleep(0.05)  # the closer now waits for the writing thread
        return False


def test_a_close_at_the_last_moment_is_not_forgotten():
    reader, closed = Reader(), queue.SimpleQueue()
    outbox = Outbox(reader.write, refuse)
    outbox._closed = ClosedJustNow(lambda: closed.put(outbox.close(b"last\n", 1)))
    outbox.put(b"first\n")
    assert closed.get(timeout=10)
    assert reader.got == b"first\nlast\n"


def test_above_the_limit_it_gives_up_once():
    reader, failures = Reader(stalled=True), []
    outbox = Outbox(reader.write, lambda: failures.append(1), limit_bytes=5_000)
    for _ in range(20):
        outbox.put(b"z" * 999 + b"\n")
    assert outbox.full
    assert failures == [1]
    reader.go.set()
    assert outbox.close(b"sorry\n")
    assert reader.got.endswith(b"sorry\n")
    assert len(reader.got) <= 6_006


def test_a_gone_reader_is_a_failure():
    failed = threading.Event()

    def write(data):
        raise BrokenPipeError

    outbox = Outbox(write, failed.set)
    outbox.put(b"x\n")
    assert failed.wait(5)
    outbox.put(b"y\n")
    assert outbox.close()
    assert isinstance(outbox.broken, BrokenPipeError)
