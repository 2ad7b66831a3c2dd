"""Neighbours of measured streams, beside a server that only the test moves."""

import asyncio

import pytest

from interview.measure.decoder import Piece
from interview.measure.load import run_level
from interview.measure.neighbourhood import Neighbourhood
from interview.measure.target import Ask
from tests.measure.asking import Noting
from tests.measure.results import done, failed


class Server:
    """Streams tokens one by one to measured requests; neighbours take `seconds`."""

    def __init__(self, tokens=8, seconds=0.0, per_event=1):
        self.tokens, self.seconds, self.per_event = tokens, seconds, per_event
        self.asked = []
        self.closed = []
        self.faulty = None

    async def send(self, ask, watcher, *, user):
        if ask.prompt == self.faulty:
            raise ValueError("broken")
        received = 0
        try:
            while ask.prompt.startswith("measured") and received < self.tokens:
                await asyncio.sleep(0)
                received += self.per_event
                self.asked.append((ask.prompt, received))
                watcher.piece(Piece(received, self.per_event, "w", ""))
            if ask.prompt.startswith("beside"):
                self.asked.append((ask.prompt, user))
                await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.closed.append(ask.prompt)
            return failed(0, 1, user=user, error="stopped")
        return done(0, 1, user=user)

    @property
    def sent(self):
        return [told for told in self.asked if told[0].startswith("beside")]

    def received_before(self, prompt):
        """The tokens that measured stream 0 had when this neighbour was sent."""
        at = [told[0] for told in self.asked].index(prompt)
        return [n for p, n in self.asked[:at] if p == "measured 0"][-1]


class Watching:
    def __init__(self):
        self.watchers, self.streams, self.neighbours, self.ended = {}, [], [], []

    def stream(self, index, user):
        self.streams.append(index)
        return self.watchers.setdefault(index, Noting())

    def finished(self, index, result):
        pass

    def neighbour(self, stream, user):
        self.neighbours.append((stream, user))
        return Noting()

    def neighbour_ended(self, stream, result):
        self.ended.append(stream)


async def level(
    server, *, requests=1, neighbours=2, after=3, users=1, stop=None, **options
):
    """A level with neighbours, and who watched it."""
    watch = Watching()
    asks = [Ask(f"measured {s}", 8, True, 1) for s in range(requests)]
    beside = [
        [Ask(f"beside {s} {j}", 1, True, 1) for j in range(neighbours)]
        for s in range(requests)
    ]
    neighbourhood = Neighbourhood(server.send, beside, after, users, watch)
    found = await run_level(
        server.send,
        asks,
        users,
        watch,
        stop or asyncio.Event(),
        beside=neighbourhood,
        **options,
    )
    return found, watch


async def test_each_is_sent_when_the_answer_has_come_so_far():
    server = Server()
    found, _ = await level(server)
    assert [prompt for prompt, _ in server.sent] == ["beside 0 0", "beside 0 1"]
    # A task starts in the next turn of the loop, in which one more token may come.
    assert server.received_before("beside 0 0") in (3, 4)
    assert server.received_before("beside 0 1") in (6, 7)
    assert [neighbour.of for neighbour in found.neighbours] == [0, 0]
    assert len(found.results) == 1


async def test_one_event_of_many_tokens_sends_all_that_are_due():
    server = Server(tokens=16, per_event=8)
    await level(server)
    assert len(server.sent) == 2


async def test_what_is_due_at_the_last_tokens_is_not_sent():
    server = Server(tokens=6)
    found, watch = await level(server)
    assert [prompt for prompt, _ in server.sent] == ["beside 0 0"]
    assert (len(found.neighbours), watch.neighbours) == (1, [(1, 1)])


async def test_those_of_an_answer_that_ended_early_are_not_sent():
    server = Server(tokens=4)
    found, _ = await level(server)
    assert [prompt for prompt, _ in server.sent] == ["beside 0 0"]
    assert len(found.neighbours) == 1


async def test_streams_and_users_of_neighbours_follow_those_of_the_level():
    server = Server()
    found, watch = await level(server, requests=3, users=1)
    assert watch.neighbours == [(3, 1), (4, 2), (5, 1), (6, 2), (7, 1), (8, 2)]
    assert sorted(watch.ended) == [3, 4, 5, 6, 7, 8]
    assert [(n.of, n.result.user) for n in found.neighbours] == [
        *((0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2))
    ]
    assert watch.streams == [0, 1, 2]


async def test_the_watcher_of_the_measured_stream_is_told_all():
    _, watch = await level(Server())
    assert [piece.stamp_ns for piece in watch.watchers[0].pieces] == list(range(1, 9))


async def test_a_level_ends_with_its_last_neighbour():
    found, watch = await level(Server(seconds=0.02))
    assert [n.result.status for n in found.neighbours] == ["completed"] * 2
    assert watch.ended == [1, 2]
    assert not found.stopped
    assert not found.timed_out


async def test_a_stop_closes_neighbours_also_when_the_measured_have_ended():
    server, stop = Server(seconds=30), asyncio.Event()
    stopping = asyncio.create_task(stop_after(server, 2, stop))
    found, _ = await level(server, stop=stop)
    await stopping
    assert sorted(server.closed) == ["beside 0 0", "beside 0 1"]
    assert [n.result.error for n in found.neighbours] == ["stopped"] * 2
    assert [result.status for result in found.results] == ["completed"]
    assert found.stopped


async def test_the_time_limit_is_also_theirs():
    server = Server(seconds=30)
    found, _ = await level(server, max_seconds=0.02)
    assert len(server.closed) == 2
    assert found.timed_out


async def stop_after(server, sent, stop):
    """When so many neighbours are under way, and what is measured had time to end."""
    while len(server.sent) < sent:  # noqa: ASYNC110  # the fake counts, it tells nobody
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.02)
    stop.set()


async def test_a_stop_sends_no_more():
    server, stop = Server(tokens=10**9, seconds=30), asyncio.Event()
    stopping = asyncio.create_task(stop_after(server, 3, stop))
    await level(server, neighbours=3, after=3, stop=stop)
    await stopping
    await asyncio.sleep(0.01)
    assert len(server.sent) == 3


async def test_a_token_after_the_halt_sends_nothing():
    server, watch = Server(), Watching()
    beside = [[Ask("beside 0 0", 1, True, 1)]]
    neighbourhood = Neighbourhood(server.send, beside, 1, 1, watch)
    watcher = neighbourhood.of(0, Noting())
    neighbourhood.halt()
    watcher.piece(Piece(1, 1, "w", ""))
    await asyncio.sleep(0)
    assert (server.sent, watch.neighbours) == ([], [])


async def test_a_fault_of_the_client_beside_is_raised():
    server = Server(seconds=0.01)
    server.faulty = "beside 0 1"
    with pytest.raises(ValueError, match="broken"):
        await level(server)
