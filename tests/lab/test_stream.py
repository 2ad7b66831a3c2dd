"""Watching a run: everyone sees every batch once and in order, whenever they come."""

import asyncio
import json
from contextlib import aclosing

import pytest
from django.db import connection

from interview.lab.live import hub as hub_module
from interview.lab.live import stream as stream_module
from interview.lab.live import subscriber as subscriber_module
from interview.lab.live.hub import Hub
from interview.lab.live.stream import stream as pieces
from interview.lab.models import Run, Status
from tests.lab.cast import batch, token

pytestmark = pytest.mark.django_db(transaction=True)


async def in_thread(work, *args, **options):
    """Run ORM work off the loop; its thread keeps no connection."""

    def closed():
        try:
            return work(*args, **options)
        finally:
            connection.close()

    return await asyncio.to_thread(closed)


async def stream(*arguments):
    """Frame by frame; several may come in one piece."""
    async with aclosing(pieces(*arguments)) as sent:
        async for piece in sent:
            for frame in piece.split(b"\n\n")[:-1]:
                yield frame + b"\n\n"


def fields(frame):
    """`field: value` lines of one frame as pairs."""
    lines = frame.decode().strip().split("\n")
    return [tuple(line.split(": ", 1)) for line in lines]


async def watch(hub, run, after=0, until="done"):
    """(seqs, names of events) of one watcher until an event of that name."""
    seqs, names = [], []
    async with aclosing(stream(hub, run.pk, after)) as frames:
        async for frame in frames:
            told = dict(fields(frame))
            if "id" in told:
                seqs.append(int(told["id"]))
            elif "event" in told:
                names.append(told["event"])
                if told["event"] == until:
                    break
    return seqs, names


async def write(run, claim, count, pause_s=0.01):
    for n in range(count):
        await in_thread(run.append, claim, batch(token(f"{n}", n)))
        await asyncio.sleep(pause_s)


async def finish(run, claim):
    ended = run.alive_at
    await in_thread(run.finish, claim, Status.COMPLETED, ended, report=None)


async def test_a_hundred_watchers_see_every_batch_in_order(alive):
    run, claim = alive
    hub = Hub()
    early = [asyncio.create_task(watch(hub, run)) for _ in range(60)]
    await write(run, claim, 20)
    late = [asyncio.create_task(watch(hub, run)) for _ in range(30)]
    resumed = [asyncio.create_task(watch(hub, run, after=15)) for _ in range(10)]
    await write(run, claim, 40)
    await finish(run, claim)
    async with asyncio.timeout(20):
        whole = await asyncio.gather(*early, *late)
        rest = await asyncio.gather(*resumed)
    assert {tuple(seqs) for seqs, _ in whole} == {tuple(range(1, 61))}
    assert {tuple(seqs) for seqs, _ in rest} == {tuple(range(16, 61))}
    assert {names[-1] for _, names in whole + rest} == {"done"}
    assert hub.watchers == 0


async def test_a_finished_run_is_replayed_whole_and_done(alive):
    run, claim = alive
    await write(run, claim, 450, pause_s=0)
    await finish(run, claim)
    seqs, names = await watch(Hub(), run)
    assert seqs == list(range(1, 451))
    assert names == ["state", "done"]


async def test_whoever_comes_late_shares_what_was_read_already(alive, monkeypatch):
    run, claim = alive
    reads = []

    def read(run_id, after):
        reads.append(after)
        return batches(run_id, after)

    batches = hub_module.batches
    monkeypatch.setattr(hub_module, "batches", read)
    await write(run, claim, 450, pause_s=0)
    hub = Hub()
    late = [asyncio.create_task(watch(hub, run)) for _ in range(5)]
    await until(lambda: reads.count(400) == 5)
    await finish(run, claim)
    async with asyncio.timeout(20):
        seen = await asyncio.gather(*late)
    assert {tuple(seqs) for seqs, _ in seen} == {tuple(range(1, 451))}
    assert (reads.count(0), reads.count(200)) == (1, 1)
    assert hub._pages == {}


async def test_a_slow_watcher_is_told_of_the_gap_and_loses_nothing(alive, monkeypatch):
    monkeypatch.setattr(subscriber_module, "QUEUE_ITEMS", 4)
    run, claim = alive
    hub, seqs, names = Hub(), [], []
    async with aclosing(stream(hub, run.pk, 0)) as frames, asyncio.timeout(20):
        async for frame in frames:
            told = dict(fields(frame))
            names.append(told.get("event"))
            if "id" in told:
                seqs.append(int(told["id"]))
            elif names == [None, "state"]:
                # It does not read while all this comes; a first batch starts it.
                await write(run, claim, 30)
                await asyncio.sleep(0.3)
                await finish(run, claim)
    assert seqs == list(range(1, 31))
    assert "gap" in names
    assert names[-1] == "done"


async def test_the_first_frame_asks_to_come_back_soon(alive):
    run, _ = alive
    async with aclosing(stream(Hub(), run.pk, 0)) as frames:
        assert await anext(frames) == b"retry: 2000\n: watching\n\n"


async def test_a_silent_stream_is_kept_alive(alive, monkeypatch):
    monkeypatch.setattr(stream_module, "HEARTBEAT_S", 0.05)
    run, _ = alive
    async with aclosing(stream(Hub(), run.pk, 0)) as frames, asyncio.timeout(20):
        async for frame in frames:
            if frame == b": hb\n\n":
                return


async def test_a_stopping_server_says_goodbye(alive):
    run, _ = alive
    hub = Hub()
    watcher = asyncio.create_task(watch(hub, run, until="bye"))
    await until(lambda: hub.watchers == 1)
    hub.stop()
    async with asyncio.timeout(20):
        _, names = await watcher
        _, late = await watch(hub, run, until="bye")
    assert (names[-1], late[-1]) == ("bye", "bye")


async def test_watchers_are_counted_for_everyone(alive):
    run, claim = alive
    hub, counts = Hub(), []

    async def first():
        async with aclosing(stream(hub, run.pk, 0)) as frames:
            async for frame in frames:
                told = dict(fields(frame))
                if told.get("event") == "state":
                    counts.append(json.loads(told["data"])["watchers"])

    watching = asyncio.create_task(first())
    await until(lambda: counts == [1])
    second = asyncio.create_task(watch(hub, run))
    await until(lambda: counts == [1, 2])
    second.cancel()
    await until(lambda: counts == [1, 2, 1])
    await finish(run, claim)
    async with asyncio.timeout(20):
        await watching


async def test_a_queued_run_tells_its_place_until_it_starts(make_run, worker):
    ahead = await in_thread(make_run)
    run = await in_thread(make_run)
    states = []

    async def follow():
        async with aclosing(stream(Hub(), run.pk, 0)) as frames:
            async for frame in frames:
                told = dict(fields(frame))
                if told.get("event") == "state":
                    states.append(json.loads(told["data"]))

    watching = asyncio.create_task(follow())
    await until(lambda: [s["place"] for s in states] == [2])
    await in_thread(ahead.ask_stop, ahead.created_at)
    await until(lambda: [s["place"] for s in states] == [2, 1])
    await in_thread(run.ask_stop, run.created_at)
    async with asyncio.timeout(20):
        await watching
    assert states[-1]["status"] == "cancelled"


async def test_a_watcher_learns_that_the_worker_died(claimed):
    # The cast's worker was last alive long ago by the real clock.
    run, _ = claimed
    async with asyncio.timeout(20):
        _, names = await watch(Hub(), run)
    assert names[-1] == "done"
    run = await in_thread(Run.objects.get, pk=run.pk)
    assert run.status == Status.INTERRUPTED


async def test_connections_do_not_grow_with_watchers(alive):
    run, claim = alive
    before = await in_thread(open_connections)
    hub = Hub()
    watching = [asyncio.create_task(watch(hub, run)) for _ in range(50)]
    await until(lambda: hub.watchers == 50)
    await write(run, claim, 5)
    assert await in_thread(open_connections) <= before + 2
    await finish(run, claim)
    async with asyncio.timeout(20):
        await asyncio.gather(*watching)
    await until_in_thread(lambda: listeners() == 0)


async def test_a_lost_doorbell_costs_no_event(alive):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's doorbell is a file that is read")
    run, claim = alive
    hub = Hub()
    watching = asyncio.create_task(watch(hub, run))
    await until(lambda: hub.watchers == 1)
    await until_in_thread(lambda: end_listeners() == 1)
    await write(run, claim, 10)
    await finish(run, claim)
    async with asyncio.timeout(20):
        seqs, _ = await watching
    assert seqs == list(range(1, 11))


def open_connections():
    """Of this test's database, as PostgreSQL counts them; files have none to count."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        )
        return cursor.fetchone()[0]


def listeners():
    """Connections that wait for a doorbell; what Django's pool keeps is its own."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE query LIKE 'LISTEN%' AND datname = current_database()"
        )
        return cursor.fetchone()[0]


def end_listeners():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE query LIKE 'LISTEN%' AND datname = current_database()"
        )
        return len(cursor.fetchall())


async def until(is_so, seconds=20):
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.01)


async def until_in_thread(is_so, seconds=20):
    async with asyncio.timeout(seconds):
        while not await in_thread(is_so):  # noqa: ASYNC110  # as above
            await asyncio.sleep(0.05)
