"""Streams that join a measurement while it runs: its client, and the child process."""

import asyncio
import json
import time
from dataclasses import replace

import pytest

from interview.measure import gathering as module
from interview.measure.errors import UsageError
from interview.measure.fields import plan_of, target_of
from interview.measure.gathering import Gathering
from interview.measure.gathering_joins import Joins, join_of
from interview.measure.target import Ask
from interview.measure.turn import Unwatched
from tests.measure.asking import HELLO, NOTHING, answering, streaming
from tests.measure.child import Child
from tests.measure.loops import on_both_loops
from tests.measure.raw_server import RawServer
from tests.measure.results import done, failed
from tests.measure.streams import D, R, T, U, every

ASK = Ask("prompt", 8, True, 1)


class Server:
    """Tokens every `gap_s`; an answer has `tokens`. The first `failing` fail."""

    def __init__(self, gap_s=0.01, tokens=1000, failing=0):
        self.gap_s, self.tokens, self.failing = gap_s, tokens, failing
        self.asked = []

    async def send(self, ask, watcher, *, user):
        self.asked.append(user)
        sent_ms = time.perf_counter_ns() / 1e6
        watcher.phase("sent", round(sent_ms * 1e6))
        if self.failing:
            self.failing -= 1
            return failed(sent_ms, sent_ms, user=user)
        stamps = []
        try:
            for _ in range(self.tokens):
                await asyncio.sleep(self.gap_s)
                stamps.append(time.perf_counter_ns() / 1e6)
                watcher.piece(Token(round(stamps[-1] * 1e6)))
        except asyncio.CancelledError:
            now_ms = time.perf_counter_ns() / 1e6
            cut = (
                done(sent_ms, *stamps, user=user) if stamps else failed(sent_ms, now_ms)
            )
            return replace(cut, status="cancelled", user=user)
        return done(sent_ms, *stamps, user=user)


class Token:
    tokens, text, reasoning, channel = 1, "a", "", "content"

    def __init__(self, stamp_ns):
        self.stamp_ns = stamp_ns


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    """The next one joins as soon as all before it stream."""
    monkeypatch.setattr(module, "STANDS_S", 0.01)


class Watching:
    """Also told of the levels."""

    def __init__(self):
        self.users, self.closed_users, self.streams = [], [], []

    def stream(self, index, user):
        self.streams.append((index, user))
        return Unwatched()

    def finished(self, index, result):
        pass

    def joined(self, users):
        self.users.append(users)

    def opened(self):
        pass

    def closed(self, window, heard):
        self.closed_users.append(window.users)


async def run(server, joining, *, most=4, max_seconds=None, stop_after=None):
    """`joining` are pairs: seconds to wait, number."""
    watch, joins, stop = Watching(), Joins(), asyncio.Event()
    gathering = Gathering(server.send, lambda: ASK, watch, watch, time.perf_counter_ns)

    async def press():
        for wait_s, number in joining:
            await asyncio.sleep(wait_s)
            joins.take(json.dumps({"join": number}).encode())
        if stop_after is not None:
            await asyncio.sleep(stop_after)
            stop.set()

    pressing = asyncio.create_task(press())
    found = await gathering.run(joins, most, stop, max_seconds)
    await pressing
    return found, watch


@on_both_loops
async def test_each_join_is_one_stream_more():
    server = Server()
    found, watch = await run(server, [(0, 1), (0.1, 2), (0.1, 3)], stop_after=0.1)
    assert server.asked == [0, 1, 2]
    assert watch.users == watch.closed_users == [1, 2, 3]
    assert [window.users for window in found.windows] == [1, 2, 3]
    assert found.end == "stopped"
    starts = [window.start_ns for window in found.windows]
    ends = [window.end_ns for window in found.windows]
    assert all(a < b for a, b in zip(starts, ends, strict=True))
    assert all(end < start for end, start in zip(ends, starts[1:], strict=False))


@on_both_loops
async def test_a_number_that_came_already_joins_nothing():
    server = Server()
    await run(server, [(0, 1), (0, 1), (0, 2), (0, 1), (0, 2)], stop_after=0.2)
    assert server.asked == [0, 1]


@on_both_loops
async def test_no_more_join_than_may():
    server = Server()
    await run(server, [(0, n) for n in range(1, 7)], most=3, stop_after=0.3)
    assert server.asked == [0, 1, 2]


@on_both_loops
async def test_who_presses_at_once_joins_when_the_number_before_has_stood(monkeypatch):
    monkeypatch.setattr(module, "STANDS_S", 0.2)
    found, _ = await run(Server(), [(0, 1), (0, 2), (0, 3)], stop_after=1.5)
    assert [window.users for window in found.windows] == [1, 2, 3]
    # A loop counts from its own time, so its timers ring some milliseconds early.
    assert all(window.length_ns >= 0.19e9 for window in found.windows[:2])


@on_both_loops
async def test_a_number_that_does_not_come_to_stand_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(module, "UNOPENED_S", 0.1)
    server = Server(failing=1000)
    await run(server, [(0, 1), (0, 2)], stop_after=0.5)
    assert {0, 1} == set(server.asked)


@pytest.mark.parametrize(
    ("limits", "end"),
    [({"stop_after": 0.1}, "stopped"), ({"max_seconds": 0.1}, "time-limit")],
)
@on_both_loops
async def test_who_waits_to_join_holds_up_no_end(monkeypatch, limits, end):
    monkeypatch.setattr(module, "STANDS_S", 60.0)
    server = Server()
    found, _ = await run(server, [(0, 1), (0, 2)], **limits)
    assert (found.end, server.asked) == (end, [0])


@on_both_loops
async def test_a_stream_asks_again_when_its_answer_has_ended():
    server = Server(gap_s=0.01, tokens=5)
    found, watch = await run(server, [(0, 1), (0.02, 2)], stop_after=0.5)
    assert {0, 1} == set(server.asked)
    assert len(server.asked) > 4
    assert [index for index, _ in watch.streams] == list(range(len(server.asked)))
    assert sum(answer.joins for answer in found.heard) == 2
    assert all(answer.result for answer in found.heard)


@on_both_loops
async def test_a_stream_whose_request_fails_waits_before_it_asks_again(monkeypatch):
    monkeypatch.setattr(module, "AFTER_FAILURE_S", 0.2)
    server = Server(failing=2)
    found, _ = await run(server, [(0, 1)], stop_after=0.7)
    assert server.asked == [0, 0, 0]
    assert [answer.joins for answer in found.heard] == [True, True, True]
    (window,) = found.windows
    assert window.start_ns == found.heard[2].stamps_ns[0]


@on_both_loops
async def test_the_time_limit_ends_it():
    found, _ = await run(Server(), [(0, 1)], max_seconds=0.2)
    assert found.end == "time-limit"
    assert found.heard[0].result.status != "completed"


@on_both_loops
async def test_it_ends_a_while_after_all_have_joined(monkeypatch):
    monkeypatch.setattr(module, "FULL_S", 0.2)
    found, _ = await run(Server(), [(0, 1), (0.05, 2)], most=2)
    assert found.end == "full"
    assert found.windows[1].length_ns > 0.1e9


@on_both_loops
async def test_it_ends_when_nobody_comes(monkeypatch):
    monkeypatch.setattr(module, "NOBODY_S", 0.1)
    found, _ = await run(Server(), [])
    assert (found.end, found.heard, found.windows) == ("nobody", (), ())


@on_both_loops
async def test_a_fault_of_the_client_is_raised():
    class Broken(Server):
        async def send(self, ask, watcher, *, user):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run(Broken(), [(0, 1)])


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b'{"join": 3}', 3),
        (b'{"join": 0}', None),
        (b'{"join": true}', None),
        (b'{"join": "3"}', None),
        (b'{"leave": 3}', None),
        (b"[3]", None),
        (b"3", None),
        (b"{", None),
        (b"", None),
        (b"\xff", None),
    ],
)
def test_other_lines_join_nobody(line, number):
    assert join_of(line) == number


def test_a_plan_of_a_gathering_has_a_load_of_all_who_may_join():
    plan = plan_of({"gathers": True, "max_users": 9, "prompt_tokens": 64})
    (load,) = plan.loads
    assert (plan.gathers, load.users, load.joined, load.warmup) == (True, 9, True, 1)
    assert load.is_crowd
    assert plan.is_load


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"gathers": True}, "max_users"),
        ({"gathers": True, "max_users": 1}, "from 2 to 256"),
        ({"gathers": 1, "max_users": 2}, "true or false"),
        ({"max_users": 4}, "give gathers, too"),
        ({"gathers": True, "max_users": 4, "users": 2}, "no users"),
        ({"gathers": True, "max_users": 4, "repeat": 2}, "no repeat"),
        ({"gathers": True, "max_users": 4, "loads": []}, "no loads"),
        ({"gathers": True, "max_users": 4, "fresh_prompt": False}, "fresh"),
    ],
)
def test_what_a_gathering_cannot_have(fields, said):
    target_of({"url": "http://h:1"} | fields)
    with pytest.raises(UsageError, match=said):
        plan_of(fields)


SLOW = streaming([(10, R + T("a")), *every(20, 30, *[T("b")] * 2000)])
SHORT = streaming(
    every(10, 20, R + T("a"), *[T("b")] * 30, T("c", "length") + U(32) + D)
)


def spec(server, **fields):
    asked = {"url": server.url, "model": "m", "prompt": "hi", "ignore_eos": True}
    return asked | {"gathers": True, "max_users": 4, "max_tokens": 32} | fields


def join(child, number):
    child.process.stdin.write(b'{"join": %d}\n' % number)
    child.process.stdin.flush()


def until_measuring(child):
    return child.until(lambda e: e["k"] == "phase" and e["phase"] == "measuring")


def until_level(child, users):
    return child.until(
        lambda e: e["k"] == "level" and (e["state"], e["users"]) == ("started", users)
    )


def test_the_child_takes_joins_on_stdin_and_tells_levels():
    with RawServer(*HELLO, SHORT) as server, Child(spec(server)) as child:
        until_measuring(child)
        for number in (1, 2, 3):
            join(child, number)
            events = until_level(child, number)
            assert events[-1]["joined"]
            time.sleep(1.4)
        child.stop()
        rest = child.rest()
        assert child.status() == 0
    report = rest[-1]["report"]
    assert [level["users"] for level in report["levels"]] == [1, 2, 3]
    assert report["gathering"]["ended"] == "stopped"
    assert [one["users"] for one in report["gathering"]["joins"]] == [1, 2, 3]
    assert report["gathering"]["missing"] == []
    for level in report["levels"]:
        assert level["joined"]
        assert level["summary"]["tpot_ms"]["n"] == level["users"]
        assert level["summary"]["completed"] > 0
        assert level["repetitions"][0]["summary"]["stood_ms"] > 1000
    assert report["notes"] == []
    assert {r["user"] for r in report["requests"]} == {0, 1, 2}
    asked = [
        json.loads(served.body)
        for served in server.served
        if b"/v1/chat/completions" in served.head
    ]
    prompts = [each["messages"][0]["content"] for each in asked]
    assert len(prompts) == len(set(prompts)) > 6
    # People wait for the warm-up: it is short.
    lengths = [each["max_tokens"] for each in asked]
    assert (lengths[0], set(lengths[1:])) == (16, {32})


def test_joins_of_the_same_moment_still_give_a_whole_table():
    with RawServer(*HELLO, SHORT) as server, Child(spec(server)) as child:
        until_measuring(child)
        for number in (1, 2, 3):
            join(child, number)
        until_level(child, 3)
        time.sleep(1.4)
        child.stop()
        report = child.rest()[-1]["report"]
    assert [level["users"] for level in report["levels"]] == [1, 2, 3]
    assert report["gathering"]["missing"] == []


def test_numbers_of_a_level_are_told_as_it_ends_and_stand_in_the_report():
    with RawServer(*HELLO, SHORT, SLOW) as server, Child(spec(server)) as child:
        until_measuring(child)
        join(child, 1)
        until_level(child, 1)
        time.sleep(1.3)
        join(child, 2)
        events = until_level(child, 2)
        child.stop()
        report = child.rest()[-1]["report"]
    (told,) = [e for e in events if e["k"] == "level" and e["state"] == "ended"]
    (level,) = report["levels"]
    assert told["users"] == level["users"] == 1
    assert told["summary"] == level["repetitions"][0]["summary"]
    from_us, to_us = told["window_us"]
    assert abs(from_us / 1000 - level["window"]["from_ms"]) < 0.01
    assert abs(to_us / 1000 - level["window"]["to_ms"]) < 0.01
    assert [one["users"] for one in report["gathering"]["missing"]] == [2]


def test_a_join_that_comes_with_the_spec_is_not_lost():
    line = {"gathers": True, "max_users": 2, "prompt": "hi", "model": "m"}
    with RawServer(*HELLO, SHORT) as server:
        first = json.dumps(line | {"url": server.url}).encode()
        with Child(first + b'\n{"join": 1}\n') as child:
            until_level(child, 1)
            child.stop()
            assert child.rest()[-1]["k"] == "report"


def test_a_stop_before_anybody_joined_still_reports():
    with RawServer(*HELLO, SHORT) as server, Child(spec(server)) as child:
        until_measuring(child)
        child.stop()
        report = child.rest()[-1]["report"]
        assert child.status() == 0
    assert (report["levels"], report["requests"]) == ([], [])
    assert report["gathering"] == {"ended": "stopped", "joins": [], "missing": []}


def test_a_server_that_refuses_the_warm_up_ends_it():
    refusing = answering(401, b'{"error":"Unauthorized"}')
    with RawServer(*HELLO, refusing, NOTHING) as server, Child(spec(server)) as child:
        events = child.rest()
        assert child.status() == 3
    assert "Unauthorized" in events[-1]["text"]
