import asyncio

import pytest

from interview.measure.tasks import meanwhile, unless


async def work(seconds, value=None):
    await asyncio.sleep(seconds)
    return value


async def test_work_that_ends_first_gives_its_result():
    assert await unless(asyncio.Event(), work(0, 5)) == 5
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_stop_cancels_the_work():
    stop = asyncio.Event()
    asyncio.get_running_loop().call_soon(stop.set)
    assert await unless(stop, work(60, 5)) is None
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_fault_of_the_work_is_raised():
    async def broken():
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await unless(asyncio.Event(), broken())
    with pytest.raises(ValueError, match="broken"):
        async with meanwhile(broken()):
            await asyncio.sleep(0)


async def test_work_beside_ends_with_the_block():
    async with meanwhile(work(60)):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
