"""Rooms that nobody comes back to, and names that are not kept."""

from datetime import timedelta

import pytest
from django.urls import reverse

from interview.lab.comparing.compare_asked import prompt_fact
from interview.lab.comparing.fact import Likeness
from interview.lab.errors import LabError
from interview.lab.measuring.worker import tidy
from interview.lab.models import Room, RoomSeat, Run, Status
from interview.lab.runs.spec import FORGOTTEN
from tests.lab.cast import NOW, REPORT

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "A room", NOW)


def is_over(room):
    return Room.objects.get(pk=room.pk).is_over


def names(room):
    return list(room.seats.order_by("pk").values_list("name", flat=True))


def test_a_room_without_anybody_for_twelve_hours_ends(room):
    tidy(NOW + 11.9 * HOUR)
    assert not is_over(room)
    tidy(NOW + 12.1 * HOUR)
    assert is_over(room)


def test_a_room_that_somebody_ends_just_now_stops_no_worker(room, alice, monkeypatch):
    other = Room.objects.open(alice, "Another", NOW)
    found = list(Room.objects.all())
    monkeypatch.setattr(
        "interview.lab.models.room.RoomQuerySet.deserted", lambda self, now: found
    )
    Room.objects.get(pk=room.pk).end(NOW)
    tidy(NOW + 13 * HOUR)
    assert is_over(other)


def test_a_sign_of_life_keeps_a_room_open(room):
    seat, _ = RoomSeat.objects.take(room, "Ada", NOW)
    RoomSeat.objects.seen([seat.pk], NOW + 5 * HOUR)
    tidy(NOW + 16 * HOUR)
    assert not is_over(room)
    tidy(NOW + 18 * HOUR)
    assert is_over(room)


def test_names_go_when_the_time_is_over_that_the_door_tells(room, alice, bob, settings):
    settings.LAB_KEEP_DAYS = 30
    for name, user in (("Ada", None), ("Bob", bob), ("Eve", None)):
        seat, _ = RoomSeat.objects.take(room, name, NOW, user=user)
    room.remove(seat, NOW)
    room.end(NOW)
    tidy(NOW + 29 * DAY)
    assert names(room) == ["alice", "Ada", "Bob", "Eve"]
    tidy(NOW + 31 * DAY)
    assert names(room) == ["alice", "Guest 1", "Guest 2", "Guest 3"]
    assert Room.objects.get(pk=room.pk).names_removed_at == NOW + 31 * DAY


def test_names_of_an_open_room_stay(room):
    seat, _ = RoomSeat.objects.take(room, "Ada", NOW)
    RoomSeat.objects.seen([seat.pk], NOW + 99 * DAY)
    tidy(NOW + 99 * DAY)
    assert names(room) == ["alice", "Ada"]


def test_runs_of_a_room_stay_without_its_names(room, finished):
    step = room.begin(NOW)
    finished.step = step
    finished.save(update_fields=["step"])
    room.end(NOW)
    tidy(NOW + 99 * DAY)
    finished.refresh_from_db()
    assert finished.step == step
    assert finished.report


def test_no_account_is_kept_of_who_joined_and_its_seat_opens_nothing(room, alice, bob):
    seat, _ = RoomSeat.objects.take(room, "Bob", NOW, user=bob)
    guest, _ = RoomSeat.objects.take(room, "Ada", NOW)
    room.end(NOW)
    tidy(NOW + 99 * DAY)
    assert not RoomSeat.objects.filter(user=bob).exists()
    assert RoomSeat.objects.get(is_host=True).user == alice
    assert RoomSeat.objects.get(pk=seat.pk).token_hash != seat.token_hash
    assert RoomSeat.objects.get(pk=guest.pk).token_hash == guest.token_hash


@pytest.mark.parametrize("has_events", [True, False])
def test_words_that_were_typed_in_a_room_go_with_the_texts(
    room, make_run, has_events, settings
):
    settings.LAB_MAX_QUEUED_PER_PERSON = 9
    step = room.begin(NOW)
    runs = {
        "typed": make_run(prompt="Dear Ada"),
        "pinned": make_run(prompt="Dear Ada"),
        "card": make_run(source="card", card="two-phases-of-a-request"),
        "alone": make_run(prompt="Dear Ada"),
    }
    for run in runs.values():
        run.ask_stop(NOW)
        if has_events:
            run.batches.create(seq=1, payload="[]")
    Run.objects.exclude(pk=runs["alone"].pk).update(step=step)
    runs["pinned"].pin(pinned=True)
    tidy(NOW + 99 * DAY)
    kept = {name: Run.objects.get(pk=run.pk).asked.prompt for name, run in runs.items()}
    own = "Dear Ada"
    assert kept == {"typed": "", "pinned": own, "card": "Why?", "alone": own}
    assert not Run.objects.with_texts_before(NOW + 99 * DAY).exists()


def test_a_run_without_its_words_is_shown_and_not_run_again(room, make_run, at_alice):
    run = make_run(prompt="Dear Ada")
    run.ask_stop(NOW)
    run.step = room.begin(NOW)
    run.save(update_fields=["step"])
    tidy(NOW + 99 * DAY)
    page = at_alice.get(reverse("lab:run", args=[run.slug]))
    assert (page.status_code, "no longer" in page.text) == (200, True)
    run.refresh_from_db()
    with pytest.raises(LabError, match="no longer kept"):
        run.again(run.owner, NOW)


def test_forgotten_words_are_told_as_that_and_compared_with_nothing(
    room, make_run, worker, at_alice
):
    step = room.begin(NOW)
    runs = [make_run(prompt=words) for words in ("Dear Ada", "Dear Bob")]
    for run in runs:
        claim = run.claim(worker, NOW)
        run.refresh_from_db()
        run.finish(claim, Status.COMPLETED, NOW, report=REPORT)
        Run.objects.filter(pk=run.pk).update(step=step)
    tidy(NOW + 99 * DAY)
    assert FORGOTTEN in at_alice.get(reverse("lab:runs")).text
    a, b = (Run.objects.get(pk=run.pk) for run in runs)
    fact = prompt_fact(a, b)
    assert (fact.a, fact.b) == (FORGOTTEN, FORGOTTEN)
    assert fact.like is Likeness.UNKNOWN


def test_the_door_tells_which_texts_stay(client, room):
    said = client.get(reverse("room:join", args=[room.code])).text
    assert "but for runs that the host keeps or exports" in said
