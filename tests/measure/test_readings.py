import asyncio

import httpx

from interview.measure.in_flight import InFlight
from interview.measure.readings import SLOW_NS, Readings
from interview.measure.target import target
from interview.measure.turn import Unwatched
from tests.measure.test_counters import page


class Engine:
    """Answers /metrics; each reading takes `takes_ns` of a clock of its own."""

    def __init__(self, takes_ns=0, **load):
        self.load = load
        self.takes_ns = takes_ns
        self.now_ns = 0
        self.told = []
        self.answers = None

    def answer(self, request):
        assert request.url.path == "/metrics"
        self.now_ns += self.takes_ns
        if self.answers is not None and not self.answers:
            return httpx.Response(404)
        return httpx.Response(200, content=page(10, **self.load))

    async def followed(self, ours, seconds=0.2):
        async with httpx.AsyncClient(
            transport=httpx.MockTransport(self.answer)
        ) as http:
            readings = Readings(
                http, target("http://h:1", "m"), lambda: self.now_ns, self.told.append
            )
            await readings.before()
            self.told.clear()
            task = asyncio.create_task(readings.during(ours, period_s=0.01))
            await asyncio.wait({task}, timeout=seconds)
            over = task.done()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return over


async def test_the_load_beside_ours_is_told_as_it_goes():
    engine = Engine(running=5, waiting=2)
    assert not await engine.followed(lambda: 4)
    assert len(engine.told) > 1
    assert engine.told[0] == {
        "running": 5,
        "waiting": 2,
        "kv_cache_usage": 0.25,
        "others": 3,
    }


async def test_a_request_that_starts_meanwhile_is_nobody_elses():
    ours = iter([4, 7] * 1000)
    engine = Engine(running=7)
    await engine.followed(lambda: next(ours))
    assert {gauges["others"] for gauges in engine.told} == {0}


async def test_a_slow_engine_is_not_asked_again():
    engine = Engine(takes_ns=SLOW_NS + 1)
    assert await engine.followed(lambda: 0)
    assert engine.told == []
    engine = Engine(takes_ns=SLOW_NS)
    assert not await engine.followed(lambda: 0)


async def test_an_engine_without_metrics_is_not_asked_again():
    engine = Engine()
    engine.answers = False
    assert await engine.followed(lambda: 0)
    assert engine.told == []


async def test_requests_under_way_are_counted_also_when_one_breaks():
    seen = []

    async def send(ask, watcher, *, user):
        seen.append(counted.now)
        await asyncio.sleep(0)
        if user == 1:
            raise ValueError("broken")
        return user

    counted = InFlight(send)
    results = await asyncio.gather(
        *(counted.send(None, Unwatched(), user=user) for user in range(3)),
        return_exceptions=True,
    )
    assert (results[0], results[2]) == (0, 2)
    assert seen == [1, 2, 3]
    assert counted.now == 0
