import asyncio

from interview.measure.decoder import Piece
from interview.measure.ticks import Ticking, Ticks


async def test_what_comes_within_a_period_is_told_at_once():
    told = asyncio.Queue()
    ticks = Ticks(lambda *batch: told.put_nowait(batch))
    ticks.start(0, 0, 5)
    for stamp_ns in range(10, 20):
        ticks.token(0, 1, stamp_ns)
    ticks.end(0, "completed", 20)
    assert told.empty()
    async with asyncio.timeout(5):
        tokens, starts, ends = await told.get()
    assert tokens == [(0, 1, stamp_ns) for stamp_ns in range(10, 20)]
    assert (starts, ends) == ([(0, 0, 5)], [(0, "completed", 20)])
    assert told.empty()


async def test_a_flush_tells_once_and_nothing_is_told_of_nothing():
    told = []
    ticks = Ticks(lambda *batch: told.append(batch))
    ticks.flush()
    ticks.token(3, 2, 7)
    ticks.flush()
    ticks.flush()
    assert told == [([(3, 2, 7)], [], [])]


async def test_a_stream_ticks_with_its_tokens_and_its_t0():
    told = []
    ticks = Ticks(lambda *batch: told.append(batch))
    watcher = Ticking(ticks, stream=4, user=2)
    watcher.phase("connecting", 1)
    watcher.phase("sent", 2)
    watcher.phase("accepted", 3)
    watcher.piece(Piece(4, 5, "w", ""))
    watcher.piece(Piece(6, 0, "text without a token", ""))
    ticks.flush()
    assert told == [([(4, 5, 4)], [(4, 2, 2)], [])]
