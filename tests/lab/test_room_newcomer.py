"""What somebody who comes new to a room runs into, and what the page says then."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from interview.lab.rooms.choice import NotOneChoice, chosen
from tests.lab.cast import later
from tests.lab.room_stage import CARD, RoomStage, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(alice):
    return RoomStage(alice, card=CARD)


# What comes next


@pytest.mark.parametrize("words", ["two phases", "PHASES  two", "Two phases,"])
def test_words_that_one_title_alone_has_name_it(words):
    assert chosen(words) == {"card": CARD}


def test_words_of_several_titles_name_none_and_list_them():
    with pytest.raises(NotOneChoice, match="choose one of") as unclear:
        chosen("request")
    assert len(unclear.value.matches) > 1
    assert all("request" in one.title.casefold() for one in unclear.value.matches)


@pytest.mark.parametrize("page", ["begin", "rooms"])
def test_what_was_typed_stays_with_the_titles_it_could_mean(stage, page):
    path = stage.at("begin") if page == "begin" else reverse("room:rooms")
    answer = stage.host.post(path, {"next": "request", "title": "Tuesday"})
    assert answer.status_code == 422
    said = text_of(answer)
    assert 'value="request"' in said
    assert f'name="card" value="{CARD}"' in said
    assert page == "begin" or 'value="Tuesday"' in said
    assert stage.host.post(path, {"next": "request", "card": CARD}).status_code == 303


def test_words_of_no_title_are_refused_as_they_were_typed(stage):
    said = text_of(stage.host.post(stage.at("begin"), {"next": "Quarks"}))
    assert "No title of a card or an experiment has “Quarks” in it." in said
    assert 'value="Quarks"' in said


# The presenter view


def test_beside_a_result_stands_who_predicted_that_run(stage):
    _, browser = stage.guest("Ada")
    stage.predict(browser, ttft="300")
    assert "<b>1</b> of 2 has predicted" in stage.page(stage.host, "presenter")
    stage.start()
    stage.finish()
    said = stage.page(stage.host, "presenter")
    assert "<b>1</b> predicted for this run" in said
    assert "of 2" not in said


# The way in


def test_who_has_no_seat_is_shown_the_ways_in(stage, settings):
    settings.PREFILL_MODE = "shared"
    answer = Client().get(stage.at("room"))
    assert answer.status_code == 403
    said = text_of(answer)
    back = urlencode({"next": stage.at("room")})
    assert f'href="{reverse("accounts:sign_in")}?{back}"' in said
    assert f'href="{reverse("room:ask_code")}"' in said


def test_the_door_knows_the_name_of_who_is_signed_in(stage, bob, settings):
    settings.PREFILL_MODE = "shared"
    client = Client()
    client.force_login(bob)
    path = reverse("room:join", args=[stage.room.code])
    assert f'required value="{bob.name}"' in text_of(client.get(path))
    assert 'required value=""' in text_of(Client().get(path))


# The host is away, people are gone


def test_the_stop_is_spoken_of_only_while_a_run_is_under_way(stage):
    _, browser = stage.guest("Ada")
    assert "can still stop the run" not in stage.page(browser)
    stage.start()
    assert "can still stop the run" in stage.page(browser)
    stage.finish()
    assert "can still stop the run" not in stage.page(browser)


def test_the_people_of_an_ended_room_are_also_those_who_went_and_how(stage):
    room = stage.room
    ada, bob, cleo, _ = [stage.guest(name)[0] for name in ("Ada", "Bob", "Cleo", "Dan")]
    room.remove(ada, later(1))
    room.let_go(ada, later(1.5))
    room.let_go(bob, later(1))
    room.remove(bob, later(1.5))
    room.remove(cleo, later(1))
    # As rooms were before it was kept.
    room.seats.filter(pk=cleo.pk).update(has_left=None)
    room.end(later(2))
    said = stage.page(stage.host)
    people = said[said.index('id="people-title"') :]
    assert re.findall(r"(Ada|Bob|Cleo|Dan)</th><td>watcher([^<]*)<", people) == [
        ("Ada", ", removed before the end"),
        ("Bob", ", left before the end"),
        ("Cleo", ", left or removed before the end"),
        ("Dan", ""),
    ]


# On one's own computer


def test_who_lost_a_seat_and_is_the_owner_reads_why_he_is_the_host(stage):
    seat, browser = stage.guest("Ada")
    browser.force_login(stage.room.host)
    assert "back as the host" not in stage.page(browser)
    stage.room.remove(seat, later(1))
    assert "you are back as the host" in stage.page(browser)
    assert "back as the host" not in stage.page(browser)


def test_an_owner_who_leaves_reads_what_going_back_makes_of_him(stage):
    _, browser = stage.guest("Ada")
    browser.force_login(stage.room.host)
    left = browser.post(stage.at("leave"), follow=True)
    assert "Go back, and you are the host" in text_of(left)
    _, other = stage.guest("Ben")
    left = other.post(stage.at("leave"), follow=True)
    assert "you are the host" not in text_of(left)


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("127.0.0.1", True), ("localhost", True), ("prefill.local", False)],
)
def test_an_address_of_this_machine_alone_says_so(stage, settings, host, is_here):
    settings.ALLOWED_HOSTS = [host]
    said = text_of(stage.host.get(stage.at("room"), headers={"host": host}))
    assert ("opens on this machine alone" in said) == is_here
