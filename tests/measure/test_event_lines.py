import json

import pytest

from interview.measure.decoder import Piece
from interview.measure.events import EventLines
from interview.measure.workload import Load, Neighbours, Plan
from tests.measure.results import done


class Lines:
    """The events of one repetition on a clock that only the test moves."""

    def __init__(self, users, **load):
        self.now_ns = 1_000_000_000
        self.lines = []
        self.tell = EventLines(self.lines.append, lambda: self.now_ns)
        plan = Plan((Load(users=users, requests=2 * users, **load),))
        (self.repetition,) = plan.repetitions()
        self.tell.level_started(self.repetition, 2.5)

    def of_kind(self, kind):
        events = [json.loads(line) for line in self.lines]
        return [event for event in events if event["k"] == kind]

    def play(self, index, user):
        watcher = self.tell.stream(index, user)
        watcher.phase("sent", self.now_ns + 1_000_000)
        watcher.piece(Piece(self.now_ns + 3_000_000, 1, "w", ""))
        watcher.piece(Piece(self.now_ns + 5_000_000, 2, "w", ""))
        self.tell.finished(index, done(1001, 1003, 1005, user=user))


async def test_a_single_user_is_told_token_by_token_and_without_ticks():
    lines = Lines(users=1)
    for index in range(2):
        lines.play(index, 0)
    lines.tell.level_ended(lines.repetition, {})
    assert lines.of_kind("ticks") == []
    assert [e["stream"] for e in lines.of_kind("tokens")] == [0, 0, 1, 1]
    requests = [event["request"] for event in lines.of_kind("request")]
    assert [len(request["itl_ms"]) for request in requests] == [1, 1]
    assert not any("brief" in request for request in requests)


async def test_of_many_users_one_is_told_whole_and_all_tick():
    lines = Lines(users=2)
    for index in range(2):
        lines.play(index, index)
    lines.now_ns += 50_000_000
    lines.tell.level_ended(lines.repetition, {"completed": 2})
    assert {e["stream"] for e in lines.of_kind("tokens")} == {0}
    assert {e["stream"] for e in lines.of_kind("phase")} == {0}
    (event,) = lines.of_kind("ticks")
    assert event["t_us"] == 50_000
    assert event["ticks"] == [
        [stream, n, dt] for stream in (0, 1) for n, dt in ((1, -47_000), (2, -45_000))
    ]
    assert event["starts"] == [[0, 0, -49_000], [1, 1, -49_000]]
    assert event["ends"] == [[0, "completed", -45_000], [1, "completed", -45_000]]
    assert lines.of_kind("level")[-1]["summary"] == {"completed": 2}
    assert json.loads(lines.lines[-1])["k"] == "level"


async def test_neighbours_of_a_single_user_tick_and_have_no_other_lines():
    lines = Lines(users=1, name="beside", neighbours=Neighbours(2, 4000, 1, 20))
    lines.play(0, 0)
    beside = lines.tell.neighbour(stream=3, user=2)
    beside.phase("sent", lines.now_ns + 2_000_000)
    beside.piece(Piece(lines.now_ns + 4_000_000, 1, "n", ""))
    lines.tell.neighbour_ended(3, done(1002, 1004, user=2))
    lines.play(1, 0)
    lines.now_ns += 50_000_000
    lines.tell.level_ended(lines.repetition, {})
    (event,) = lines.of_kind("ticks")
    assert event["starts"] == [[0, 0, -49_000], [3, 2, -48_000], [1, 0, -49_000]]
    assert [tick for tick in event["ticks"] if tick[0] == 3] == [[3, 1, -46_000]]
    assert event["ends"][1] == [3, "completed", -46_000]
    assert {e["stream"] for e in lines.of_kind("tokens")} == {0}
    assert {e["stream"] for e in lines.of_kind("phase")} == {0}
    requests = lines.of_kind("request")
    assert [event["stream"] for event in requests] == [0, 1]
    assert ["brief" in event["request"] for event in requests] == [False, True]
    levels = lines.of_kind("level")
    assert {(e["name"], e["neighbours"]) for e in levels} == {("beside", 2)}


async def test_the_requests_of_other_streams_are_brief():
    lines = Lines(users=2)
    for index in range(2):
        lines.play(index, index)
    lines.tell.level_ended(lines.repetition, {})
    whole, brief = (event["request"] for event in lines.of_kind("request"))
    assert "brief" not in whole
    assert whole["itl_ms"] == [2]
    assert set(brief) == {*whole, "brief"}
    assert brief["brief"] is True
    for name in ("itl_ms", "event_tokens", "other_texts"):
        assert brief[name] == []
    assert (brief["text"], brief["reasoning"]) == ("", "")
    assert (brief["ttft_ms"], brief["events"], brief["tokens"]) == (2, 2, 2)


async def test_a_level_says_its_place():
    lines = Lines(users=2)
    (event,) = lines.of_kind("level")
    del event["t_us"]
    assert event == {
        "k": "level",
        "state": "started",
        "index": 0,
        "levels": 1,
        "name": None,
        "users": 2,
        "repetition": 0,
        "repetitions": 1,
        "requests": 4,
        "neighbours": None,
        "expected_s": 2.5,
        "summary": None,
    }


@pytest.mark.parametrize("users", [1, 2])
async def test_warm_ups_do_not_tick(users):
    lines = Lines(users=users)
    lines.tell.warmed_up(lines.repetition, 0, done(0, 1, 2))
    lines.tell.level_ended(lines.repetition, {})
    assert lines.of_kind("ticks") == []
    (event,) = lines.of_kind("request")
    assert event["warmup"] is True
