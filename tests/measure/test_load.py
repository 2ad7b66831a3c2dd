import asyncio

import pytest

from interview.measure.load import run_level
from interview.measure.target import Ask
from interview.measure.turn import Unwatched
from tests.measure.results import done, failed


class Server:
    """Answers after `seconds`; notes who asked, and how many at once."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds
        self.asked = []
        self.now = self.peak = 0

    async def send(self, ask, watcher, *, user):
        self.asked.append((user, ask.prompt))
        self.now += 1
        self.peak = max(self.peak, self.now)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            return failed(0, 1, user=user, error="stopped")
        finally:
            self.now -= 1
        return done(0, 1, user=user)


class Watching:
    def __init__(self):
        self.streams, self.ends = [], []

    def stream(self, index, user):
        self.streams.append(index)
        return Unwatched()

    def finished(self, index, result):
        self.ends.append(index)


def asks(n):
    return [Ask(f"prompt {i}", 8, True, 1) for i in range(n)]


async def test_each_request_is_sent_once_and_told_once():
    server, watch = Server(), Watching()
    level = await run_level(server.send, asks(7), 3, watch, asyncio.Event())
    assert sorted(prompt for _, prompt in server.asked) == [
        f"prompt {i}" for i in range(7)
    ]
    assert sorted(watch.streams) == sorted(watch.ends) == list(range(7))
    assert len(level.results) == 7
    assert not level.stopped
    assert not level.timed_out


@pytest.mark.parametrize("users", [1, 4, 64])
async def test_row_206_no_more_are_in_flight_than_there_are_users(users):
    server = Server(0.02)
    await run_level(server.send, asks(3 * users), users, Watching(), asyncio.Event())
    assert server.peak == users


async def test_more_users_than_requests_do_no_harm():
    level = await run_level(Server().send, asks(2), 5, Watching(), asyncio.Event())
    assert len(level.results) == 2


async def test_a_stop_cancels_what_is_under_way_and_starts_nothing():
    server, stop = Server(30), asyncio.Event()
    asyncio.get_running_loop().call_later(0.02, stop.set)
    level = await run_level(server.send, asks(9), 3, Watching(), stop)
    assert [result.error for result in level.results] == ["stopped"] * 3
    assert len(server.asked) == 3
    assert level.stopped


async def test_a_stop_before_the_start_sends_nothing():
    server, stop = Server(), asyncio.Event()
    stop.set()
    level = await run_level(server.send, asks(2), 1, Watching(), stop)
    assert (server.asked, level.results, level.stopped) == ([], (), True)


async def test_the_time_limit_ends_a_level():
    level = await run_level(
        Server(30).send, asks(3), 1, Watching(), asyncio.Event(), max_seconds=0.02
    )
    assert level.timed_out
    assert not level.stopped
    assert len(level.results) == 1


async def test_a_fault_of_the_client_ends_the_level_and_is_raised():
    server = Server(30)

    async def send(ask, watcher, *, user):
        if user == 1:
            raise ValueError("broken")
        return await server.send(ask, watcher, user=user)

    with pytest.raises(ValueError, match="broken"):
        await run_level(send, asks(4), 2, Watching(), asyncio.Event())
    assert server.now == 0
