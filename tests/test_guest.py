"""A guest: somebody without account, whose cookie is a seat in one room and no more.

Who gets what at which address stands in test_permissions.py; here is what no status
tells: the cookie itself, keys of other rooms, what was taken back, what leaks.
"""

import logging
import re

import pytest
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interview.accounts.masking import masked
from interview.accounts.models import User
from interview.accounts.seat import COOKIE, KEPT_FOR, hashed
from interview.lab.models import Room, RoomSeat, Step
from interview.web.content import library
from tests.people import ARGUMENTS, CARD, CODE, address, gather, named_urls, queue_run

pytestmark = pytest.mark.django_db

DOOR = {"room:ask_code", "room:join", "room:rooms"}
IN_THE_ROOM = {
    name for name in named_urls() if name.startswith("room:") and name not in DOOR
}
READ = {
    "room:room",
    "room:step",
    "room:run",
    "room:run_log",
}


@pytest.fixture
def cast(settings):
    return gather(settings)


@pytest.fixture
def room(cast):
    return Room.objects.get(slug=ARGUMENTS["room"]["slug"])


@pytest.fixture
def elsewhere(cast):
    """A room of the same host, with a step and a run."""
    room = Room.objects.open(cast.users["host"], "Elsewhere", timezone.now())
    step = room.begin(timezone.now(), card=CARD)
    room.begin(timezone.now(), card=CARD)
    queue_run(cast.users["host"], slug="a-run-elsewhere", step=step)
    cast.sit("there", room)
    return room


def join(**posted):
    client = Client()
    return client, client.post(reverse("room:join", args=[CODE]), {"name": "Ada"})


# The cookie


@pytest.mark.parametrize("over_tls", [False, True])
def test_a_seat_is_a_cookie_for_its_room_and_one_for_the_door(
    cast, room, settings, over_tls
):
    settings.SESSION_COOKIE_SECURE = over_tls
    _, response = join()
    places = {name: cookie["path"] for name, cookie in response.cookies.items()}
    assert places.pop(COOKIE) == f"/rooms/{room.slug}/"
    assert [*places.values()] == ["/join/"]
    for cookie in response.cookies.values():
        assert cookie["httponly"] is True
        assert cookie["samesite"] == "Lax"
        assert bool(cookie["secure"]) is over_tls
        assert cookie["domain"] == ""
        assert cookie["max-age"] == KEPT_FOR.total_seconds()


def test_the_cookie_of_the_door_opens_nothing_but_the_door(cast, elsewhere):
    client, _ = join()
    del client.cookies[COOKIE]
    assert client.get(address("room:room")).status_code == 403
    assert client.get(address("room:room", slug=elsewhere.slug)).status_code == 403
    other_door = client.get(reverse("room:join", args=[elsewhere.code]))
    assert other_door.status_code == 200
    assert not other_door.cookies.get(COOKIE)
    there = reverse("room:join", args=[CODE])
    client.cookies[next(iter(client.cookies))] = cast.tokens["there"]
    assert client.get(there).status_code == 200


def test_a_seat_has_128_random_bits_and_the_table_their_hash_alone(cast, room):
    tokens = [join()[1].cookies[COOKIE].value for _ in range(3)]
    assert len({*tokens}) == 3
    assert all(re.fullmatch(r"[\w-]{22}", token) for token in tokens)
    kept = RoomSeat.objects.values_list("token_hash", flat=True)
    assert {hashed(token) for token in tokens} < {*kept}
    assert not {*tokens} & {*kept}


def test_taking_a_seat_opens_no_session(cast):
    client, response = join()
    assert not Session.objects.exists()
    assert {name.split(".")[0] for name in response.cookies} == {COOKIE}
    assert {*client.cookies} == {*response.cookies}


def test_a_look_at_the_door_takes_no_seat(cast):
    before = RoomSeat.objects.count()
    for ask in (Client().get, Client().head):
        assert not ask(reverse("room:join", args=[CODE])).cookies.get(COOKIE)
    assert RoomSeat.objects.count() == before


@pytest.mark.parametrize("token", ["", "x", "x" * 22, "0", "\u00e9" * 22, "a" * 5000])
def test_a_made_up_token_is_no_seat(cast, token):
    client = Client()
    client.cookies[COOKIE] = token
    assert client.get(address("room:room")).status_code == 403


def test_the_hash_of_a_token_is_no_token(cast):
    client = Client()
    client.cookies[COOKIE] = RoomSeat.objects.get(name="drive").token_hash
    assert client.get(address("room:room")).status_code == 403


def test_the_key_of_a_seat_is_no_token(cast):
    client = Client()
    client.cookies[COOKIE] = cast.seats["drive"]
    assert client.get(address("room:room")).status_code == 403


# What was taken back


def test_a_removed_seat_opens_nothing_of_its_room(cast, room):
    room.remove(RoomSeat.objects.get(name="drive"), timezone.now())
    for name, method in every(IN_THE_ROOM):
        assert cast.ask("drive", method, name).status_code == 403, f"{method} {name}"


def test_a_removed_guest_does_not_come_back_with_the_old_code(cast, room):
    room.remove(RoomSeat.objects.get(name="drive"), timezone.now())
    assert cast.client("drive").get(reverse("room:join", args=[CODE])).status_code in {
        404,
        429,
    }


def test_whoever_left_is_out(cast):
    cast.ask("watch", "post", "room:leave")
    assert cast.ask("watch", "get", "room:room").status_code == 403


def test_driving_handed_away_is_lost_at_once(cast, room):
    """The driver's page is still open, with its button and its token."""
    client = cast.client("drive")
    client.get(address("room:room"))
    room.hand_over(RoomSeat.objects.get(name="watch"))
    for name in ("room:start", "room:stop"):
        assert client.post(address(name)).status_code == 403
        assert cast.ask("watch", "post", name).status_code != 403


def test_a_removed_driver_leaves_driving_to_the_host(cast, room):
    room.remove(RoomSeat.objects.get(name="drive"), timezone.now())
    room.refresh_from_db()
    assert room.driver.is_host


def test_a_host_who_was_deactivated_is_out(cast):
    client = cast.client("host")
    assert client.get(address("room:room")).status_code == 200
    User.objects.filter(name="host").update(is_active=False)
    assert client.get(address("room:room")).status_code == 403


def test_a_seat_of_a_person_is_no_more_than_that_person(cast, room):
    """Who signs out leaves no way in behind."""
    client = cast.client("cand")
    client.post(reverse("room:join", args=[CODE]), {"name": "Cy"})
    assert client.get(address("room:room")).status_code == 200
    token = client.cookies[COOKIE].value
    kept = dict(client.cookies.items())
    client.logout()
    client.cookies.update({COOKIE: token} | kept)
    assert client.get(address("room:room")).status_code == 403
    # The door offers a seat instead of sending them there.
    assert client.get(reverse("room:join", args=[CODE])).status_code == 200


# An ended room


def test_an_ended_room_can_be_read_by_its_people_alone(cast, room):
    room.end(timezone.now())
    for name in sorted(READ):
        for person in ("watch", "drive", "host"):
            assert cast.ask(person, "get", name).status_code == 200, (person, name)
        for person in ("guest", "anon", "inter"):
            assert cast.ask(person, "get", name).status_code == 403, (person, name)


@pytest.mark.parametrize("person", ["watch", "drive", "host"])
def test_in_an_ended_room_nobody_changes_anything(cast, room, person):
    room.end(timezone.now())
    room.refresh_from_db()
    before = room.revision
    for name, method in every(IN_THE_ROOM):
        if method == "post":
            assert cast.ask(person, "post", name).status_code == 403, name
    room.refresh_from_db()
    assert room.revision == before


def test_an_ended_room_has_no_door(cast, room):
    room.end(timezone.now())
    response = Client().post(reverse("room:join", args=[CODE]), {"name": "Ada"})
    assert response.status_code == 404
    assert COOKIE not in response.cookies


# Keys of other rooms


def test_a_run_of_elsewhere_is_not_in_this_room(cast, elsewhere):
    of_runs = {name for name, url in named_urls().items() if "<slug:run>" in route(url)}
    assert {"room:run", "room:run_events", "room:run_log"} <= of_runs
    for name in sorted(of_runs):
        for run in ("a-run", "a-run-elsewhere", "none"):
            for person in ("watch", "drive", "host"):
                found = cast.ask(person, "get", name, run=run).status_code
                assert found == 404, (person, name, run)


def test_a_step_of_elsewhere_is_not_in_this_room(cast, elsewhere):
    assert elsewhere.steps.filter(number=2).exists()
    assert cast.ask("watch", "get", "room:step", number=2).status_code == 404


@pytest.mark.parametrize("name", ["room:driver", "room:remove"])
@pytest.mark.parametrize("seat", ["there", "guest"])
def test_a_seat_of_elsewhere_is_not_in_this_room(cast, elsewhere, name, seat):
    client = cast.client("host")
    sent = {"seat": cast.seats[seat]}
    assert client.post(address(name), sent).status_code in {404, 422}
    assert not RoomSeat.objects.get(pk=cast.seats[seat]).is_removed
    assert str(Room.objects.get(code=CODE).driver_id) == cast.seats["drive"]


def test_nonsense_for_a_seat_is_no_error_of_ours(cast):
    for seat in ("", "x", "1", "'; --", "\x00"):
        for name in ("room:driver", "room:remove"):
            response = cast.client("host").post(address(name), {"seat": seat})
            assert response.status_code in {404, 422}, seat


# What must not be seen


def test_a_guest_reads_no_answer_that_is_not_open(cast, room):
    card = library().cards[CARD]
    short, full = probe(card.short), probe(card.full)
    for shown, hidden in {0: {short, full}, 1: {full}}.items():
        Step.objects.filter(room=room).update(shown=shown)
        for said in everything_said(cast, "drive"):
            assert not [text for text in hidden if text in said]


def test_an_answer_that_is_open_is_there(cast, room):
    """Else the tests around could not fail."""
    card = library().cards[CARD]
    Step.objects.filter(room=room).update(shown=2)
    assert probe(card.full) in "".join(everything_said(cast, "drive"))


@pytest.mark.parametrize("status", ["kit-only", "draft"])
def test_a_hidden_card_never_comes_into_a_room(cast, room, status, settings, tmp_path):
    card_id, words = "a-hidden-card", "Words that no guest may read"
    text = library().cards[CARD].source.replace(f"id: {CARD}", f"id: {card_id}")
    text = text.replace("status: published", f"status: {status}")
    text = text.replace("## Question\n", f"## Question\n\n{words}\n")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / f"{card_id}.md").write_text(text)
    settings.CONTENT_PATHS = [tmp_path]
    assert card_id in library().cards
    response = cast.client("host").post(address("room:begin"), {"card": card_id})
    assert response.status_code == 422
    assert room.steps.count() == 1
    # Nor by a way that somebody opens later.
    Step.objects.filter(room=room).update(card=card_id)
    for said in everything_said(cast, "drive"):
        assert words not in said


def test_no_follow_up_or_wrong_answer_is_in_a_room(cast, room):
    card = library().cards[CARD]
    hidden = {probe(rung.answer) for rung in card.follow_ups}
    hidden |= {probe(wrong.why) for wrong in card.wrong_answers}
    Step.objects.filter(room=room).update(shown=1)
    for said in everything_said(cast, "drive"):
        assert not [text for text in hidden if text in said]


@pytest.mark.parametrize("part", ["", "partial"])
def test_no_token_is_ever_on_a_page(cast, room, part):
    for said in everything_said(cast, "host", part):
        for token in cast.tokens.values():
            assert token not in said
            assert hashed(token) not in said


@pytest.mark.parametrize("person", ["anon", "watch"])
def test_nothing_of_a_room_is_kept_or_found_by_others(cast, person):
    for name, method in every({"room:ask_code", "room:join", *IN_THE_ROOM}):
        response = cast.ask(person, method, name)
        assert "no-store" in response["Cache-Control"]
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        # Not no-referrer: a browser would send "Origin: null" with the page's forms.
        assert response["Referrer-Policy"] in {"same-origin", "strict-origin"}


@pytest.mark.parametrize("person", ["anon", "watch", "drive", "host"])
def test_no_log_line_has_a_token_or_a_code(cast, caplog, person):
    caplog.set_level(logging.DEBUG)
    for name, method in every({*IN_THE_ROOM, "room:join"}):
        cast.ask(person, method, name)
    cast.client(person).post(reverse("room:join", args=[CODE]), {"name": ""})
    lines = [masked(f"{line.getMessage()} {line.exc_text}") for line in caplog.records]
    said = [line for line in lines if "SELECT" not in line and "INSERT" not in line]
    for secret in (CODE, *cast.tokens.values()):
        assert not [line for line in said if secret in line]


def test_every_log_handler_masks_the_keys_in_addresses():
    handlers = django_settings.LOGGING["handlers"]
    for name, handler in handlers.items():
        assert "mask_keys" in handler["filters"], name


def everything_said(cast, person, part=""):
    """What a person reads in the room: its pages, their parts, its files."""
    client = cast.client(person, headers={"HX-Request-Type": part} if part else None)
    for name in sorted(READ):
        response = client.get(address(name))
        assert response.status_code == 200
        yield response.text


def probe(item):
    """Words of an answer that stand nowhere else: the longest run without markup."""
    words = re.split(r"[`*\[\]{}|\n<>&’“”\"']", item.markdown)
    return max(words, key=len).strip()


def every(names):
    """Each of the addresses with each method that it takes."""
    for name in sorted(names):
        allowed = Client().put(address(name))["Allow"]
        for method in ("get", "post"):
            if method.upper() in allowed:
                yield name, method


def route(url):
    return str(url.pattern)
