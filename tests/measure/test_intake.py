"""Decoding that is put off lets reads through."""

import asyncio

from interview.measure.intake import IN_A_ROW, PAUSE_S, Backlog

STREAMS = 3 * IN_A_ROW + 1


def test_all_that_was_put_off_is_done_in_order_with_room_for_reads_between():
    done, at_each_turn = [], []

    async def put_off():
        backlog = Backlog()
        for stream in range(STREAMS):
            backlog.add(lambda stream=stream: done.append(stream))
        await asyncio.sleep(PAUSE_S / 2)
        assert not done
        while len(done) < STREAMS:
            at_each_turn.append(len(done))
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(put_off(), 5))
    assert done == list(range(STREAMS))
    assert {*range(0, STREAMS, IN_A_ROW)} <= {*at_each_turn}


def test_what_comes_while_the_rest_waits_is_done_after_it():
    done = []

    async def put_off():
        backlog, late = Backlog(), asyncio.Event()
        backlog.add(lambda: backlog.add(late.set))
        for stream in range(IN_A_ROW):
            backlog.add(lambda stream=stream: done.append(stream))
        await asyncio.wait_for(late.wait(), 5)

    asyncio.run(put_off())
    assert done == [*range(IN_A_ROW)]
