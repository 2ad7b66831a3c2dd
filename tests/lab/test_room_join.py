"""The door of a room: whom it lets in, under which name, and how often."""

import unicodedata
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interview.accounts.attempts import ROOM_CODE
from interview.accounts.seat import COOKIE, NAME_LENGTH
from interview.lab.models import Room, RoomSeat
from interview.lab.rooms.code import ALPHABET, new_code, read_code
from interview.lab.rooms.name import apart, read_name

pytestmark = pytest.mark.django_db


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "A room", timezone.now())


def names(room):
    return list(room.present_seats.values_list("name", flat=True))


def join(room, name="Ada", client=None, **options):
    client = client or Client()
    path = reverse("room:join", args=[room.code])
    return client.post(path, {"name": name}, **options)


# The code


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("abc234", "ABC234"),
        (" ABC 234 ", "ABC234"),
        ("abc-234", "ABC234"),
        ("OOILil", "001111"),
        ("", ""),
        (" - ", ""),
        ("é", ""),
        ("中", ""),
        ("²", ""),
        ("\u0410BC234", "BC234"),
        ("\x00", ""),
        ("A" * 5000, "A" * 20),
    ],
)
def test_a_code_is_read_as_it_was_meant(typed, meant):
    assert read_code(typed) == meant


def test_every_code_reads_as_itself():
    codes = [new_code() for _ in range(200)]
    assert [read_code(code.lower()) for code in codes] == codes
    assert {len(code) for code in codes} == {6}
    assert set("ILOU").isdisjoint(ALPHABET)


@pytest.mark.parametrize("spoil", [str.lower, lambda code: f"{code[:3]} {code[3:]}"])
def test_a_typed_code_leads_to_the_door(client, room, spoil):
    answer = client.get(reverse("room:ask_code"), {"code": spoil(room.code)})
    assert answer["Location"] == reverse("room:join", args=[room.code])


def test_0_for_o_and_1_for_i_open_the_same_door(client, room):
    Room.objects.filter(pk=room.pk).update(code="0A1B10")
    assert client.get(reverse("room:join", args=["oaibLo"])).status_code == 200


@pytest.mark.parametrize("typed", ["???", "/", "-", "é", "中", "²", "\u0410", "\x00"])
def test_what_is_no_code_gets_a_sentence(client, typed):
    answer = client.get(reverse("room:ask_code"), {"code": typed})
    assert answer.status_code == 422


def test_a_wrong_code_is_no_room(client, room):
    answer = client.get(reverse("room:join", args=["ZZZZZZ"]))
    assert answer.status_code == 404
    assert "ZZZZZZ" in answer.context["problem"]


def test_a_removed_guest_cannot_come_back_with_the_code_it_knows(client, room):
    join(room)
    before = room.code
    room.remove(room.seats.get(name="Ada"), timezone.now())
    assert client.get(reverse("room:join", args=[before])).status_code == 404
    assert client.get(reverse("room:join", args=[room.code])).status_code == 200


def test_the_code_of_an_ended_room_is_free_again(alice, room, monkeypatch):
    from interview.lab.models import room as module

    drawn = iter([room.code, room.code, "NEWC0D", room.code])
    monkeypatch.setattr(module, "new_code", lambda: next(drawn))
    other = Room.objects.open(alice, "Meanwhile", timezone.now())
    assert other.code == "NEWC0D"
    room.end(timezone.now())
    assert Room.objects.open(alice, "Later", timezone.now()).code == room.code


# The name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ada  ", "Ada"),
        ("Ada   Lovelace", "Ada Lovelace"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u5c71\u7530", "\u5c71\u7530"),
        ("\U0001f469\u200d\U0001f4bb Ada", "\U0001f469\u200d\U0001f4bb Ada"),
        ("<b>Ada</b>", "<b>Ada</b>"),
    ],
)
def test_a_name_is_trimmed_and_composed(typed, name):
    assert read_name(typed) == name
    assert unicodedata.is_normalized("NFC", read_name(typed))


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "\u200d\u200b",
        "A\nda",
        "A\x00da",
        "A\tda",
        "\u202eadA",
        "A\u2028da",
        "A\u2066da",
        "x" * (NAME_LENGTH + 1),
    ],
)
def test_a_name_that_cannot_be_shown_gets_a_sentence_and_no_seat(room, typed):
    answer = join(room, typed)
    assert answer.status_code == 422
    assert COOKIE not in answer.cookies
    assert answer.context["problem"]
    assert names(room) == ["alice"]


def test_the_same_name_twice_gets_a_number(room):
    for typed in ("Ada", "ada", "ADA ", "Ada 2"):
        assert join(room, typed).status_code == 303
    assert names(room) == ["alice", "Ada", "ada 2", "ADA 3", "Ada 2 2"]


def test_a_number_keeps_a_long_name_within_its_length():
    long = "x" * NAME_LENGTH
    assert apart(long, [long]) == "x" * (NAME_LENGTH - 2) + " 2"


def test_the_name_of_somebody_who_left_is_free(room):
    join(room)
    room.let_go(room.seats.get(name="Ada"), timezone.now())
    join(room)
    assert names(room) == ["alice", "Ada"]


# The seat


def test_joining_twice_from_one_browser_gives_back_the_same_seat(client, room):
    join(room, client=client)
    token = client.cookies[COOKIE].value
    client.cookies.pop(COOKIE)
    for name in ("Ada", "Somebody else", ""):
        answer = join(room, name, client)
        assert answer.status_code == 303
        assert answer.cookies[COOKIE].value == token
    assert client.get(reverse("room:join", args=[room.code])).status_code == 303
    assert names(room) == ["alice", "Ada"]


def test_the_doors_cookie_opens_nothing_but_the_same_seat(client, room, alice):
    other = Room.objects.open(alice, "Another", timezone.now())
    answer = join(room, client=client)
    at_door = {k: c for k, c in answer.cookies.items() if k != COOKIE}
    (kept,) = at_door.values()
    assert kept["path"] == "/join/"
    assert kept["httponly"]
    assert kept["samesite"] == "Lax"
    del client.cookies[COOKIE]
    assert client.get(reverse("room:room", args=[room.slug])).status_code == 403
    assert client.get(reverse("room:join", args=[other.code])).status_code == 200


def test_one_browser_has_a_seat_in_each_of_two_rooms(client, room, alice):
    other = Room.objects.open(alice, "Another", timezone.now())
    join(room, client=client)
    join(other, client=client)
    join(room, client=client)
    join(other, client=client)
    assert (names(room), names(other)) == (["alice", "Ada"], ["alice", "Ada"])


def test_a_removed_seat_is_not_given_back(client, room):
    join(room, client=client)
    room.remove(room.seats.get(name="Ada"), timezone.now())
    join(room, "Eve", client)
    assert names(room) == ["alice", "Eve"]


def test_the_host_goes_in_by_his_own_seat(at_alice, room):
    assert join(room, "Somebody", at_alice).status_code == 303
    assert names(room) == ["alice"]


def test_a_person_who_joins_again_elsewhere_has_one_seat(bob, room):
    for _ in range(2):
        client = Client()
        client.force_login(bob)
        join(room, "Bob", client)
    assert names(room) == ["alice", "Bob"]


def test_on_ones_own_computer_a_second_browser_is_somebody_else(settings, db):
    settings.PREFILL_MODE = "local"
    Client().post(reverse("room:rooms"), {"title": "Ours"})
    room = Room.objects.get()
    for name in ("Ada", "Bob"):
        join(room, name)
    assert names(room) == ["owner", "Ada", "Bob"]


def test_a_full_room_says_so(room, settings):
    settings.LAB_MAX_SEATS = 3
    assert [join(room, name).status_code for name in "abc"] == [303, 303, 422]
    assert "all its 3 seats are taken" in join(room, "d").context["problem"]
    room.let_go(room.seats.get(name="a"), timezone.now())
    assert join(room, "e").status_code == 303


def test_whoever_left_may_come_back_as_somebody_new(client, room):
    join(room, client=client)
    client.post(reverse("room:leave", args=[room.slug]))
    assert join(room, "Eve", client).status_code == 303
    room.refresh_from_db()
    assert names(room) == ["alice", "Eve"]
    assert RoomSeat.objects.count() == 3


@pytest.mark.parametrize("typed", ["É12345", "\u041012345", "1" * 5000])
def test_letters_that_no_code_has_are_no_error_of_ours(client, typed):
    answer = client.get(reverse("room:ask_code"), {"code": typed}, follow=True)
    assert answer.status_code == 404
    assert answer.context["problem"]


def test_a_class_behind_one_address_may_mistype_and_who_sits_is_never_shut_out(
    client, room, monkeypatch
):
    assert ROOM_CODE.most >= 300
    monkeypatch.setattr(
        "interview.lab.views.join.ROOM_CODE", replace(ROOM_CODE, most=2)
    )
    join(room, client=client)
    doors = [reverse("room:join", args=[code]) for code in ("ZZZZZZ", room.code)]
    answers = [Client().get(doors[0]).status_code for _ in range(3)]
    assert answers == [404, 404, 429]
    # The same for a right code: nothing tells it from a wrong one.
    assert Client().get(doors[1]).status_code == 429
    assert client.get(doors[1]).status_code == 303


def test_whoever_tries_codes_must_wait_and_whoever_knows_one_need_not(
    client, room, monkeypatch
):
    few = replace(ROOM_CODE, most=30)
    monkeypatch.setattr("interview.lab.views.join.ROOM_CODE", few)
    doors = [reverse("room:join", args=[room.code])] * 40
    assert {client.get(door).status_code for door in doors} == {200}
    wrong = reverse("room:join", args=["ZZZZZZ"])
    answers = [client.get(wrong) for _ in range(31)]
    assert [answer.status_code for answer in answers] == [404] * 30 + [429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert client.get(doors[0]).status_code == 429
