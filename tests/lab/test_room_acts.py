"""What the people of a room may do, and the sentence for what cannot be done."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interview.accounts.seat import COOKIE
from interview.lab.errors import RoomError
from interview.lab.models import Room, RoomSeat, Run, Status
from interview.lab.rooms.access import check_lively
from interview.web.content import library

pytestmark = pytest.mark.django_db

CARD = "two-phases-of-a-request"


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "A room", timezone.now())


@pytest.fixture
def ada(room):
    return sit(room, "Ada")


def sit(room, name):
    seat, token = RoomSeat.objects.take(room, name, timezone.now())
    client = Client()
    client.cookies[COOKIE] = token
    seat.client = client
    return seat


def do(client, room, verb, **fields):
    return client.post(reverse(f"room:{verb}", args=[room.slug]), fields)


def now_of(room):
    return Room.objects.get(pk=room.pk)


# Bad input


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("begin", {"card": "no-such-card"}),
        ("begin", {"card": "\x00"}),
        ("begin", {"experiment": "no-such-experiment"}),
        ("begin", {"run": "no-such-run"}),
        ("show", {"shown": "1"}),
        ("show", {"shown": "3"}),
        ("show", {"shown": "-1"}),
        ("show", {"shown": "x"}),
        ("show", {}),
        ("driver", {}),
        ("driver", {"seat": "x"}),
        ("driver", {"seat": "00000000-0000-0000-0000-000000000000"}),
        ("remove", {"seat": "x"}),
        ("freeze", {"minutes": "31"}),
        ("freeze", {"minutes": "-1"}),
        ("freeze", {"minutes": "1.5"}),
        ("freeze", {"minutes": "\u0665"}),
        ("freeze", {"minutes": "9" * 5000}),
        ("freeze", {}),
    ],
)
def test_nonsense_changes_nothing_and_gets_the_page(at_alice, room, verb, fields):
    before = now_of(room).revision
    answer = do(at_alice, room, verb, **fields)
    assert answer.status_code == 422
    assert now_of(room).revision == before


def test_a_refusal_says_what_was_wrong(at_alice, room):
    answer = do(at_alice, room, "begin", card="no-such-card")
    assert "no-such-card" in answer.text


def test_a_seat_of_another_room_is_no_seat_of_this_one(at_alice, room, alice):
    elsewhere = sit(Room.objects.open(alice, "Another", timezone.now()), "Eve")
    for verb in ("driver", "remove"):
        assert do(at_alice, room, verb, seat=elsewhere.pk).status_code == 422
    elsewhere.refresh_from_db()
    assert not elsewhere.is_removed


@pytest.mark.parametrize("status", ["kit-only", "draft", "retired"])
def test_a_card_that_is_not_for_all_never_comes_into_a_room(
    at_alice, room, status, settings, tmp_path
):
    text = library().cards[CARD].source.replace(f"id: {CARD}", "id: a-hidden-card")
    (tmp_path / "cards").mkdir()
    hidden = tmp_path / "cards" / "a-hidden-card.md"
    hidden.write_text(text.replace("status: published", f"status: {status}"))
    settings.CONTENT_PATHS = [tmp_path]
    assert "a-hidden-card" in library().cards
    assert do(at_alice, room, "begin", card="a-hidden-card").status_code == 422
    assert not room.steps.exists()


# Steps


def test_a_card_an_experiment_and_a_free_request_become_steps(at_alice, room):
    for fields in ({"card": CARD}, {"experiment": "two-loads"}, {}):
        assert do(at_alice, room, "begin", **fields).status_code == 303
    steps = room.steps.values_list("number", "card", "experiment")
    assert list(steps) == [(1, CARD, ""), (2, "", "two-loads"), (3, "", "")]
    assert now_of(room).stage == 4


def test_a_run_measured_before_can_be_looked_at_together(at_alice, room, finished):
    assert do(at_alice, room, "begin", run=finished.slug).status_code == 303
    assert room.step.run == finished


def test_somebody_elses_run_cannot_be_shown(at_alice, room, make_run, bob):
    run = make_run(owner=bob)
    assert do(at_alice, room, "begin", run=run.slug).status_code == 422


def test_answers_open_and_close_for_all(at_alice, room):
    do(at_alice, room, "begin", card=CARD)
    for shown in (1, 2, 0):
        assert do(at_alice, room, "show", shown=shown).status_code == 303
        assert room.step.shown == shown


# People


def test_handing_over_to_somebody_away_is_allowed_and_said(at_alice, room, ada):
    gone = timezone.now() - timedelta(minutes=1)
    RoomSeat.objects.filter(pk=ada.pk).update(seen_at=gone)
    answer = do(at_alice, room, "driver", seat=ada.pk)
    assert answer.status_code == 303
    assert now_of(room).driver == ada
    assert "Ada drives now, and is away." in at_alice.get(answer["Location"]).text


def test_a_hand_goes_down_when_it_drives(at_alice, room, ada):
    do(ada.client, room, "hand", raised="1")
    ada.refresh_from_db()
    assert ada.hand_raised_at
    do(at_alice, room, "driver", seat=ada.pk)
    ada.refresh_from_db()
    assert ada.hand_raised_at is None


def test_the_host_cannot_be_removed(at_alice, room):
    answer = do(at_alice, room, "remove", seat=room.driver_id)
    assert answer.status_code == 422
    assert not room.seats.get().is_removed


def test_who_leaves_takes_only_himself_away(room, ada):
    code = room.code
    room.hand_over(ada)
    answer = do(ada.client, room, "leave")
    assert answer.status_code == 303
    ada.refresh_from_db()
    assert ada.is_removed
    assert now_of(room).code == code
    assert now_of(room).driver.is_host


def test_a_host_who_leaves_keeps_the_seat(at_alice, room):
    assert do(at_alice, room, "leave")["Location"] == reverse("room:rooms")
    assert not room.seats.get().is_removed


def test_a_seat_that_was_removed_meanwhile_cannot_drive(room, ada):
    room.remove(ada, timezone.now())
    with pytest.raises(RoomError, match="Ada has left"):
        room.hand_over(ada)


def test_a_verb_that_comes_after_the_end_is_refused(room, ada):
    late = now_of(room)
    room.end(timezone.now())
    for act in (
        lambda: late.hand_over(ada),
        lambda: late.freeze(timezone.now()),
        lambda: late.begin(timezone.now()),
        lambda: late.end(timezone.now()),
        lambda: ada.raise_hand(timezone.now()),
        lambda: RoomSeat.objects.take(late, "Eve", timezone.now()),
    ):
        with pytest.raises(RoomError, match="has ended"):
            act()


def test_coming_back_to_a_page_is_a_sign_of_life(room, ada):
    gone = timezone.now() - timedelta(minutes=1)
    RoomSeat.objects.filter(pk=ada.pk).update(seen_at=gone)
    ada.client.get(reverse("room:room", args=[room.slug]))
    ada.refresh_from_db()
    assert ada.away_s(timezone.now()) is None


def test_a_page_asked_for_again_soon_writes_nothing(ada, django_assert_num_queries):
    now = timezone.now()
    with django_assert_num_queries(0):
        ada.see(now)
    RoomSeat.objects.filter(pk=ada.pk).update(seen_at=now - timedelta(seconds=20))
    ada.refresh_from_db()
    ada.see(now)
    ada.refresh_from_db()
    assert ada.seen_at == now


def test_the_seat_of_a_person_is_worth_nothing_without_the_person(room, bob):
    client = Client()
    client.force_login(bob)
    client.post(reverse("room:join", args=[room.code]), {"name": "Bob"})
    page = reverse("room:room", args=[room.slug])
    assert client.get(page).status_code == 200
    token = client.cookies[COOKIE].value
    client.logout()
    client.cookies[COOKIE] = token
    assert client.get(page).status_code == 403


# Quiet minutes, and the end


def test_quiet_minutes_are_set_and_taken_back(at_alice, room):
    do(at_alice, room, "freeze", minutes="2")
    with pytest.raises(RoomError, match="quiet"):
        check_lively(now_of(room))
    do(at_alice, room, "freeze", minutes="0")
    check_lively(now_of(room))
    room.freeze(timezone.now() - timedelta(seconds=1))
    check_lively(now_of(room))


def test_the_end_of_a_room_asks_its_runs_to_stop(at_alice, room, make_run, worker):
    step = room.begin(timezone.now())
    running, queued, other = (make_run() for _ in range(3))
    running.claim(worker, timezone.now())
    Run.objects.filter(pk__in=[running.pk, queued.pk]).update(step=step)
    assert do(at_alice, room, "end").status_code == 303
    for run in (running, queued, other):
        run.refresh_from_db()
    assert (running.status, running.stop_asked()) == (Status.RUNNING, True)
    assert queued.status == Status.CANCELLED
    assert not other.stop_asked()
