"""The presenter view: large numbers and the way in, nothing to press."""

import re
from xml.etree import ElementTree

import pytest
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from interview.lab.models import Prediction, Room, RoomSeat, Run, Status
from interview.lab.rooms.presenter import BigNumbers
from interview.lab.rooms.way_in import WayIn
from tests.lab.cast import REPORT

pytestmark = pytest.mark.django_db

CARD = "two-phases-of-a-request"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def room(alice):
    return Room.objects.open(alice, "KV cache", timezone.now())


@pytest.fixture
def step(room):
    return room.begin(timezone.now(), card=CARD)


@pytest.fixture
def make_step_run(make_run, step):
    def make(levels=None, **changes):
        run = make_run(**({"levels": levels, "requests": levels} if levels else {}))
        Run.objects.filter(pk=run.pk).update(step=step, **changes)
        run.refresh_from_db()
        return run

    return make


def read(client, room):
    answer = client.get(reverse("room:presenter", args=[room.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_there_is_nothing_to_press(at_alice, room, step):
    text = read(at_alice, room)
    assert not re.search(r"<(button|form|input|select|a)\b", text)


def test_it_is_the_hosts_alone(client, room):
    seat, token = RoomSeat.objects.take(room, "Ada", timezone.now())
    client.cookies["prefill_seat"] = token
    assert client.get(reverse("room:presenter", args=[room.slug])).status_code == 403
    assert seat.name == "Ada"


@pytest.mark.parametrize("headers", [{}, {"HX-Request-Type": "partial"}])
def test_the_way_in_is_a_code_an_address_and_a_picture(at_alice, room, headers):
    where = reverse("room:presenter", args=[room.slug])
    text = at_alice.get(where, headers=headers).content.decode()
    assert f">{room.code}<" in text
    assert f"testserver/join/{room.code}<" in text
    assert f'src="/rooms/{room.slug}/door.svg?{room.code}"' in text


def test_a_card_shows_its_question_and_no_answer(at_alice, room, step):
    from interview.web.content import library

    card = library().cards[CARD]
    text = read(at_alice, room)
    assert card.question.markdown[:30] in text
    assert card.short.markdown[:40] not in text


def test_guesses_are_counted_and_never_told(at_alice, room, step):
    for name, value in (("Ada", 123.0), ("Bob", 456.0)):
        seat, _ = RoomSeat.objects.take(room, name, timezone.now())
        Prediction(
            seat=seat,
            step=step,
            metric="ttft_ms",
            value=value,
            locked_at=timezone.now(),
        ).save()
    text = read(at_alice, room)
    assert re.search(r"<b>2</b> of 3 have predicted", text)
    assert "123" not in text.replace(room.code, "")
    assert "456" not in text.replace(room.code, "")


def test_a_run_that_streams_is_followed_at_the_rooms_address(
    at_alice, room, make_step_run
):
    run = make_step_run(status=Status.RUNNING, started_at=timezone.now())
    text = read(at_alice, room)
    assert f'data-events="/rooms/{room.slug}/runs/{run.slug}/events"' in text
    assert 'data-module="lab-big"' in text


def test_a_run_that_is_over_shows_its_numbers(at_alice, room, make_step_run):
    run = make_step_run()
    Run.objects.filter(pk=run.pk).update(
        status=Status.COMPLETED,
        report=REPORT,
        figures={"1": {"values": {"ttft_ms": [257.4, None, None]}, "spoiled": []}},
    )
    text = read(at_alice, room)
    assert re.search(r'data-number="ttft".*?data-value>257<', text, re.DOTALL)
    assert re.search(r'data-number="gap".*?data-value>–<', text, re.DOTALL)
    assert "lab-big" not in text


def test_a_load_that_is_over_has_a_row_a_level(at_alice, room, make_step_run):
    run = make_step_run(levels=[1, 4])
    figures = {
        name: {"values": {"ttft_ms": [wait, None, None]}, "spoiled": []}
        for name, wait in (("4", 412.0), ("1", 257.0))
    }
    Run.objects.filter(pk=run.pk).update(status=Status.COMPLETED, figures=figures)
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', read(at_alice, room))
    assert [re.findall(r">([^<]+)</t[hd]>", row) for row in rows] == [
        ["1", "257", "–", "–"],
        ["4", "412", "–", "–"],
    ]


def test_what_a_load_lacks_is_missing_and_not_zero():
    found = BigNumbers.of("64", {"values": {"itl_p50_ms": [31.2, 30.0, 32.0]}})
    assert found == BigNumbers(64, "64", None, 31.2, None)
    assert BigNumbers.of("long", {"values": {}}).users is None


def test_an_ended_room_shows_no_way_in(at_alice, room):
    room.end(timezone.now())
    text = read(at_alice, room)
    assert "This room has ended." in text
    assert "door.svg" not in text


def test_the_picture_is_a_square_svg_with_a_quiet_zone(at_alice, room):
    answer = at_alice.get(reverse("room:door", args=[room.slug]))
    assert answer["Content-Type"] == "image/svg+xml"
    assert "no-store" in answer["Cache-Control"]
    root = ElementTree.fromstring(answer.content)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert width == height
    # The smallest code has 21 modules; four light ones stand on each side.
    assert width >= 21 + 2 * 4
    assert f"/join/{room.code}" in root.find(f"{SVG}title").text


def test_the_address_is_the_one_that_the_outside_knows(room):
    request = RequestFactory().get("/", secure=True, headers={"Host": "localhost:8443"})
    door = WayIn.of(request, room)
    assert door.url == f"https://localhost:8443/join/{room.code}/"
    assert door.words == f"localhost:8443/join/{room.code}"
