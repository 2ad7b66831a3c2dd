"""What runs in a room changes what can be done there: whoever sits there is told."""

from contextlib import aclosing
from dataclasses import replace

import pytest

from interview.lab.endpoint import Endpoint
from interview.lab.live.room_stream import OVER, room_frame, room_stream
from interview.lab.live.subscriber import Subscriber
from interview.lab.models import Room, Run, Status
from interview.lab.rooms.snapshot import RoomState, rooms, seats, state_of
from tests.lab.cast import REPORT, later
from tests.lab.room_stage import CARD, RoomStage

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(alice):
    made = RoomStage(alice, card=CARD)
    made.start()
    return made


def revision(stage):
    return Room.objects.get(pk=stage.room.pk).revision


def claim(stage):
    stage.claim()


def finish(stage):
    stage.run.finish(stage.claim_token, Status.COMPLETED, later(9), report=REPORT)


def fail(stage):
    stage.run.finish(stage.claim_token, Status.FAILED, later(9), report=None)


def interrupt(stage):
    assert Run.objects.interrupt_dead(later(999)) == 1


def cancel(stage):
    stage.run.ask_stop(later(9))


def drop(stage):
    Run.objects.drop_foreign(
        Endpoint("http://127.0.0.1:1", "other", "", simulated=False), later(9)
    )


@pytest.mark.parametrize(
    "acts",
    [(claim,), (cancel,), (drop,), (claim, finish), (claim, fail), (claim, interrupt)],
)
def test_each_start_and_end_of_a_run_is_told(stage, acts):
    stage.room.begin(later(1), card=CARD)
    for act in acts:
        before = revision(stage)
        act(stage)
        assert revision(stage) > before


def test_run_can_be_pressed_in_the_next_step_once_the_earlier_run_is_over(stage):
    stage.claim()
    stage.room.begin(later(1), card=CARD)
    assert "data-run" not in stage.page(stage.host).partition("room-drive")[2]
    stage.finish()
    assert "data-run" in stage.page(stage.host).partition("room-drive")[2]


def test_a_run_outside_of_rooms_tells_no_room(stage, make_run):
    before = revision(stage)
    make_run().ask_stop(later(1))
    assert revision(stage) == before


def state(stage):
    key = stage.room.pk
    return state_of(rooms([key])[key], seats([key])[key], (), later(10))


def test_an_ended_room_is_followed_until_its_runs_have_stopped(stage):
    _, ada = stage.guest("Ada")
    stage.claim()
    stage.room.end(later(8))
    assert (state(stage).is_over, state(stage).is_settled) == (True, False)
    assert "data-events" in stage.page(ada).partition("room-people")[0]
    finish(stage)
    assert (state(stage).is_over, state(stage).is_settled) == (True, True)
    assert "data-events" not in stage.page(ada).partition("room-people")[0]


async def test_the_stream_says_over_when_nothing_more_comes():
    watcher, told = Subscriber(), []
    ended = RoomState(2, 2, (), False, False, is_over=True)
    watcher.give(ended)
    async with aclosing(room_stream(watcher)) as frames:
        async for frame in frames:
            told.append(frame)
            if told.count(room_frame(ended)) == 1 and len(told) == 2:
                watcher.give(replace(ended, revision=3, is_settled=True))
    assert [OVER in frame for frame in told] == [False, False, False, True]
