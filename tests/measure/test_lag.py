import asyncio

from interview.measure.lag import PERIOD_NS, probe


class SteppedClock:
    """Each reading is `step_ns` after the one before."""

    def __init__(self, step_ns):
        self.now_ns = 0
        self._step_ns = step_ns

    def __call__(self):
        self.now_ns += self._step_ns
        return self.now_ns


async def lags_of(step_ns):
    async with probe(SteppedClock(step_ns)) as lags_ns:
        await asyncio.sleep(0.2)
    assert lags_ns
    return set(lags_ns)


async def test_the_lag_is_what_a_nap_took_longer_than_asked():
    assert await lags_of(PERIOD_NS + 2_000_000) == {2_000_000}


async def test_a_nap_that_ends_early_is_no_lag():
    assert await lags_of(PERIOD_NS - 1) == {0}


async def test_nothing_is_left_running():
    await lags_of(PERIOD_NS)
    assert asyncio.all_tasks() == {asyncio.current_task()}
