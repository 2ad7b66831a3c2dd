"""A whole measurement in this process: what it does to its own event loop."""

import asyncio
import gc
import random
import time

import pytest

from interview.measure.fields import plan_of
from interview.measure.measurement import measure
from interview.measure.progress import Silence
from interview.measure.target import target
from tests.measure.asking import HELLO, streaming
from tests.measure.raw_server import RawServer
from tests.measure.streams import D, R, T, U, every

TOKENS = 60
STEADY = streaming(
    every(
        10, 20, R + T("a"), *[T("b")] * (TOKENS - 2), T("c", "length") + U(TOKENS) + D
    )
)


@pytest.fixture(autouse=True)
def _thawed():
    yield
    gc.unfreeze()


async def measured(url, watch=None, **fields):
    return await measure(
        target(url, "m"),
        plan_of({"prompt": "hi", "requests": 1, "warmup": 0} | fields),
        watch or Silence(),
        asyncio.Event(),
        clock=time.perf_counter_ns,
        origin_ns=time.perf_counter_ns(),
        chance=random.Random(1),
    )


class Busy(Silence):
    """Holds the loop up once in the middle of a level."""

    def level_started(self, repetition, expected_s):
        asyncio.get_running_loop().call_later(0.2, time.sleep, 0.2)


async def test_row_149_a_loop_that_was_held_up_marks_the_level():
    with RawServer(*HELLO, STEADY) as server:
        report = await measured(server.url, Busy())
    assert report["summary"]["loop_lag_ms"]["p99"] > 50
    assert "loop-lag" in report["summary"]["notes"]


async def test_row_150_what_lives_before_a_level_is_not_collected_during_it():
    gc.unfreeze()
    with RawServer(*HELLO, STEADY) as server:
        report = await measured(server.url)
    assert gc.get_freeze_count() > 0
    assert report["summary"]["loop_lag_ms"]["p50"] is not None


async def test_nothing_is_left_running():
    with RawServer(*HELLO, STEADY) as server:
        await measured(server.url, users=4, requests=4, repeat=2)
        assert server.wait_until_all_closed(5)
    assert asyncio.all_tasks() == {asyncio.current_task()}
