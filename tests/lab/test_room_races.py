"""Many at once in one room: nothing is taken twice, and nobody waits for ever."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from interview.lab.errors import LabError, RoomError
from interview.lab.form.guess import Guess
from interview.lab.models import Prediction, Press, Room, RoomSeat, Run
from interview.lab.models.prediction import TOO_LATE
from interview.lab.runs.spec import Spec

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "A room", timezone.now())


def at_once(*works):
    """What each gave, or the LabError with which it was refused."""

    def one(work):
        try:
            return work()
        except LabError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(one, works))


def fresh(room):
    """As another request would read it."""
    return Room.objects.get(pk=room.pk)


def join(room, name="Ada"):
    return RoomSeat.objects.take(fresh(room), name, timezone.now())


def test_the_last_seats_are_taken_once_each_under_names_of_their_own(room, settings):
    settings.LAB_MAX_SEATS = 4
    found = at_once(*[lambda: join(room)] * 8)
    assert sum(isinstance(each, RoomError) for each in found) == 5
    names = room.present_seats.values_list("name", flat=True)
    assert sorted(names) == ["Ada", "Ada 2", "Ada 3", "alice"]


def test_verbs_of_all_kinds_at_once_all_come_to_an_end(room):
    ada, bob = join(room)[0], join(room, "Bob")[0]
    fresh(room).begin(timezone.now(), card="two-phases-of-a-request")
    before = fresh(room).revision

    def raise_hand(seat):
        RoomSeat.objects.get(pk=seat.pk).raise_hand(timezone.now())

    works = [
        lambda: fresh(room).hand_over(ada),
        lambda: fresh(room).hand_over(bob),
        lambda: raise_hand(ada),
        lambda: raise_hand(bob),
        lambda: fresh(room).show(1),
        lambda: fresh(room).begin(timezone.now()),
        lambda: fresh(room).renew_code(),
        lambda: fresh(room).freeze(timezone.now()),
    ]
    seen = [lambda: RoomSeat.objects.seen([ada.pk, bob.pk], timezone.now())] * 4
    found = at_once(*works, *seen)
    refused = [each for each in found if isinstance(each, RoomError)]
    assert len(refused) <= 1  # the answer of a card that was before the room just now
    assert fresh(room).revision == before + len(works) - len(refused)
    assert list(room.steps.values_list("number", flat=True)) == [1, 2]


def test_of_two_ends_one_is_refused(room):
    found = at_once(*[lambda: fresh(room).end(timezone.now())] * 2)
    assert sorted(type(each) for each in found if each) == [RoomError]


GATHERS = {"levels": [*range(1, 33)], "requests": None, "gathers": True}


def test_predictions_and_presses_at_once_never_wait_for_each_other(room, worker):
    """Each takes a run and the room: in two orders they would stop each other."""
    seats = [join(room, f"Guest {n}")[0] for n in range(4)]
    step = fresh(room).begin(timezone.now())
    run = Run.objects.queue(room.host, Spec("Why?", **GATHERS), timezone.now())
    Run.objects.filter(pk=run.pk).update(step=step)
    run.open_to_streams(run.claim(worker, timezone.now()), timezone.now())

    def predict(seat):
        mine = RoomSeat.objects.select_related("room").get(pk=seat.pk)
        return Prediction.objects.lock_in(
            step, mine, [Guess("ttft_ms", 100.0)], timezone.now()
        )

    works = [lambda s=s: predict(s) for s in seats]
    works += [lambda s=s: Press.objects.add(s, timezone.now()) for s in seats]
    found = at_once(*works * 4)
    pressed = [each.number for each in found if isinstance(each, Press)]
    assert sorted(pressed) == [*range(1, 17)]
    assert sum(str(each) == TOO_LATE for each in found) == 16
