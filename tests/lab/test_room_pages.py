"""How a room's pages look: the strip, the host's row, banners, the lobby, the door."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from interview.lab.models import Room, RoomSeat, Run
from interview.lab.rooms.choice import NotOneChoice, choices, chosen
from interview.lab.rooms.opening import NothingThere, Opening
from interview.lab.rooms.places import clock, places
from tests.lab.cast import NOW, later

pytestmark = pytest.mark.django_db

CARD = "two-phases-of-a-request"
EXPERIMENT = "two-loads"


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "KV cache", timezone.now())


@pytest.fixture
def take(room):
    """Somebody on a seat, seen just now."""

    def sit(name, **more):
        seat, token = RoomSeat.objects.take(room, name, timezone.now())
        RoomSeat.objects.filter(pk=seat.pk).update(**{"seen_at": timezone.now()} | more)
        seat.refresh_from_db()
        return seat, token

    return sit


@pytest.fixture
def guest(client_of, take):
    return client_of(take("Ada")[1])


@pytest.fixture
def client_of(room):
    from django.test import Client

    def holding(token):
        client = Client()
        client.cookies["prefill_seat"] = token
        return client

    return holding


def read(client, room, name="room", *arguments):
    answer = client.get(reverse(f"room:{name}", args=[room.slug, *arguments]))
    assert answer.status_code == 200
    return answer.content.decode()


def seat_item(text, seat):
    return re.search(rf'<li[^>]*data-seat="{seat.pk}".*?</li>', text, re.DOTALL)[0]


def test_a_clock_shows_minutes_and_hours_from_sixty_on():
    assert [clock(s) for s in (0, 42, 725, 3729)] == [
        "0:00",
        "0:42",
        "12:05",
        "1:02:09",
    ]


def test_the_strip_begins_with_the_host_then_the_driver_then_raised_hands(room, take):
    quiet, _ = take("Quiet")
    asks, _ = take("Asks", hand_raised_at=timezone.now())
    drives, _ = take("Drives")
    room.hand_over(drives)
    names = [place.seat.name for place in places(room, quiet, timezone.now())]
    assert names == ["alice", "Drives", "Asks", "Quiet"]
    assert asks.hand_raised_at


def test_each_role_has_a_word_and_an_icon(room, take):
    ada, _ = take("Ada")
    before = places(room, ada, timezone.now())
    assert [(p.words, p.icon) for p in before] == [
        ("Host, driving", "host"),
        ("Watching", "watching"),
    ]
    room.hand_over(ada)
    after = places(room, ada, timezone.now())
    assert [(p.words, p.icon) for p in after] == [
        ("Host", "host"),
        ("Driving", "driving"),
    ]


def test_an_empty_seat_says_since_when(room, take, guest):
    bob, _ = take("Bob", seen_at=timezone.now() - timedelta(seconds=42))
    item = seat_item(read(guest, room), bob)
    assert "data-is-away" in item
    assert re.search(r">0:4[2-4]<", item)


def test_whoever_looks_is_here(room, take, client_of):
    bob, token = take("Bob", seen_at=timezone.now() - timedelta(seconds=42))
    item = seat_item(read(client_of(token), room), bob)
    assert "data-is-away" not in item
    assert "(you)" in item


def test_only_the_host_gets_the_row_of_the_host(at_alice, guest, room):
    for words in ("Show to all", "End the room", "Remove a seat", "New code"):
        assert words in read(at_alice, room)
        assert words not in read(guest, room)


def test_a_guest_finds_no_way_into_the_site(guest, room):
    room.begin(timezone.now(), card=CARD)
    main = read(guest, room).partition("<main")[2].partition("</main>")[0]
    links = re.findall(r'(?:href|src|action)="(/[^"]*)"', main)
    rooms_own = (f"/rooms/{room.slug}/", "/static/", "/join/")
    assert links
    assert [link for link in links if not link.startswith(rooms_own)] == []


def test_the_host_is_offered_what_anybody_may_see(at_alice, room):
    listed = {choice.id: choice for choice in choices()}
    assert listed[CARD].kind == "card"
    assert listed[EXPERIMENT].kind == "experiment"
    text = read(at_alice, room)
    for choice in listed.values():
        assert choice.kind in {"card", "experiment"}
    assert text.count("<option value=") >= len(listed)


def test_a_choice_is_found_by_title_or_id_whatever_the_case():
    title = next(choice.title for choice in choices() if choice.id == CARD)
    assert chosen(f"  {title.upper()} ") == {"card": CARD}
    assert chosen(EXPERIMENT) == {"experiment": EXPERIMENT}


def test_what_names_nothing_is_refused_and_no_words_are_a_free_request():
    with pytest.raises(NotOneChoice, match="“no such thing”"):
        chosen(" no such thing ")
    assert chosen("  ") == {}


def test_the_next_card_is_chosen_by_its_title(at_alice, room):
    title = next(choice.title for choice in choices() if choice.id == CARD)
    at_alice.post(reverse("room:begin", args=[room.slug]), {"next": title})
    assert room.step.card == CARD


def test_a_free_request_needs_no_title(at_alice, room):
    fields = {"next": "half a title", "free": "1"}
    at_alice.post(reverse("room:begin", args=[room.slug]), fields)
    assert (room.step.card, room.step.experiment) == ("", "")


def test_a_room_is_opened_with_what_comes_first(at_alice, alice):
    at_alice.post(reverse("room:rooms"), {"title": "A", "next": EXPERIMENT})
    assert Room.objects.get(host=alice).step.experiment == EXPERIMENT


def test_a_room_without_a_title_is_named_after_its_host(at_alice, alice):
    at_alice.post(reverse("room:rooms"), {"title": " "})
    assert str(Room.objects.get(host=alice)) == "A room of alice"


def test_a_raised_hand_is_offered_to_the_host(at_alice, room, take):
    take("Ada", hand_raised_at=timezone.now())
    text = read(at_alice, room)
    assert "asks to drive" in text
    assert "Hand over to Ada" in text


def test_removing_asks_first_and_says_that_the_code_changes(at_alice, room, take):
    take("Ada")
    text = read(at_alice, room)
    asked = re.search(
        r"<details[^>]*><summary>Remove Ada…</summary>.*?</details>", text, re.DOTALL
    )
    assert "The code changes" in asked[0]
    assert 'name="seat"' in asked[0]


def test_answers_are_opened_one_by_one(at_alice, room):
    room.begin(timezone.now(), card=CARD)
    assert "Open the short answer" in read(at_alice, room)
    assert "Close the answer" not in read(at_alice, room)
    room.show(1)
    text = read(at_alice, room)
    assert "Open the short answer" not in text
    assert "Open the full answer" in text
    assert "Close the answer" in text


def test_quiet_minutes_show_their_clock_to_all(at_alice, guest, room):
    room.freeze(timezone.now() + timedelta(seconds=90))
    for client in (at_alice, guest):
        text = read(client, room)
        assert re.search(r'data-clock-s="(90|89|88)"', text)
        assert "Quiet minutes" in text
    assert "End the quiet" in read(at_alice, room)


def test_the_banner_of_an_absent_host_is_for_the_others(at_alice, guest, room):
    gone = timezone.now() - timedelta(seconds=20)
    room.seats.filter(is_host=True).update(seen_at=gone, taken_at=gone)
    banner = r"data-host-away>The host’s [a-z ]* gone for <span[^>]*>0:2\d</span>"
    assert re.search(banner, read(guest, room))
    assert "data-host-away" not in read(at_alice, room)


def test_who_drives_is_told_that_stop_is_theirs(room, take, client_of, make_run):
    step = room.begin(timezone.now(), card=CARD)
    Run.objects.filter(pk=make_run().pk).update(step=step)
    gone = timezone.now() - timedelta(seconds=20)
    room.seats.filter(is_host=True).update(seen_at=gone, taken_at=gone)
    ada, token = take("Ada")
    room.hand_over(ada)
    assert "You can still stop the run." in read(client_of(token), room)


def test_whoever_stays_behind_reads_where_the_host_is(guest, room):
    room.begin(timezone.now(), card=CARD)
    room.begin(timezone.now(), experiment=EXPERIMENT)
    text = read(guest, room, "step", 1)
    assert "The host is at step 2, " in text
    assert f'href="/rooms/{room.slug}/" data-follow' in text
    assert "data-follow>" not in read(guest, room)
    assert "data-stay" in read(guest, room)


def test_the_lobby_shows_the_host_the_way_in(at_alice, guest, room):
    host = read(at_alice, room)
    assert room.code in host
    assert "door.svg" in host
    theirs = read(guest, room)
    assert "alice has not begun yet" in theirs
    assert room.code not in theirs


def test_without_scripts_the_page_looks_again_until_it_is_held_still(guest, room):
    refresh = '<noscript><meta http-equiv="refresh"'
    assert refresh in read(guest, room)
    still = guest.get(reverse("room:room", args=[room.slug]), {"still": "1"})
    assert refresh not in still.content.decode()


def test_an_ended_room_has_nothing_to_press(at_alice, room, take):
    take("Ada")
    room.begin(timezone.now(), card=CARD)
    room.end(timezone.now())
    text = read(at_alice, room)
    assert "This room ended on" in text
    assert "data-events" not in text.partition("<main")[2].partition("room-step")[0]
    for words in ("Show to all", "Raise the hand", "http-equiv"):
        assert words not in text


def test_a_part_of_the_page_is_whole(guest, room):
    part = guest.get(
        reverse("room:room", args=[room.slug]), headers={"HX-Request-Type": "partial"}
    ).content.decode()
    assert "<html" not in part
    for name in ("people", "bar", "step", "own"):
        assert part.count(f'id="room-{name}"') == 1


def test_the_list_has_open_rooms_and_ended_ones(at_alice, alice, room, take):
    take("Ada")
    over = Room.objects.open(alice, "Last week", NOW)
    over.end(later(3600))
    text = at_alice.get(reverse("room:rooms")).content.decode()
    assert text.index("KV cache") < text.index("Ended") < text.index("Last week")
    assert "2 people" in text
    assert room.code in text
    assert over.code not in text


def test_the_list_counts_everybody_also_for_a_guest_with_an_account(
    client, bob, room, take
):
    take("Ada")
    take("Bob", user=bob)
    room.begin(timezone.now(), card=CARD)
    room.begin(timezone.now(), card=CARD)
    client.force_login(bob)
    text = client.get(reverse("room:rooms")).content.decode()
    assert "3 people" in text
    assert "2 steps" in text


def test_the_lab_and_the_front_page_lead_to_the_rooms(at_alice):
    for name in ("lab:lab", "home"):
        assert (
            f'href="{reverse("room:rooms")}"'
            in at_alice.get(reverse(name)).content.decode()
        )


def test_the_door_says_what_is_kept_and_takes_no_seat(client, room, settings):
    settings.LAB_KEEP_DAYS = 30
    answer = client.get(reverse("room:join", args=[room.code]))
    text = answer.content.decode()
    for words in ("alice", "What is kept", "30 days", "Who sees it"):
        assert words in text
    assert room.seats.count() == 1
    assert "prefill_seat" not in answer.cookies


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_door_tells_nobody_the_code(client, room, method):
    answer = getattr(client, method)(reverse("room:join", args=[room.code]))
    assert answer["Referrer-Policy"] in {"no-referrer", "strict-origin"}
    assert "noindex" in answer["X-Robots-Tag"]
    assert "no-store" in answer["Cache-Control"]


def test_a_wrong_code_gets_a_sentence_and_the_field_again(client, room):
    answer = client.get(reverse("room:join", args=["WRONG2"]))
    assert answer.status_code == 404
    text = answer.content.decode()
    assert "WRONG2" in text
    assert 'value="WRONG2"' in text


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("KV\x00 cache", "KV cache"),
        (" KV \u202e\n cache ", "KV cache"),
        ("\x00", "A room of alice"),
        ("\u200b", "A room of alice"),
        ("x" * 300, "x" * 100),
    ],
)
def test_a_title_is_tidied_as_a_name_is(at_alice, alice, typed, title):
    answer = at_alice.post(reverse("room:rooms"), {"title": typed})
    assert answer.status_code == 303
    assert alice.rooms.get().title == title


@pytest.mark.parametrize("slug", ["\x00", "a\x00b", "é", "a b"])
def test_what_is_no_address_of_a_run_is_not_even_looked_for(
    at_alice, alice, room, slug, django_assert_num_queries
):
    with django_assert_num_queries(0), pytest.raises(NothingThere):
        Opening.of(alice, {"run": slug})
    assert at_alice.get(reverse("room:rooms"), {"run": slug}).status_code == 200
    for path in (reverse("room:rooms"), reverse("room:begin", args=[room.slug])):
        assert at_alice.post(path, {"run": slug}).status_code == 422
