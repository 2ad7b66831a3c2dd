"""The light answer that every page of a room asks for at each change."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.lab.room_stage import CARD, RoomStage

pytestmark = pytest.mark.django_db

PART = re.compile(r'<\w+[^>]*\bid="([\w-]+)"[^>]*data-room-part="(\w+)"')


@pytest.fixture
def stage(alice):
    return RoomStage(alice, card=CARD)


@pytest.fixture
def ada(stage):
    return stage.guest("Ada")[1]


def asked(browser, address, **query):
    """The text, and the queries that it took."""
    partial = {"HX-Request": "true", "HX-Request-Type": "partial"}
    with CaptureQueriesContext(connection) as queries:
        response = browser.get(address, query, headers=partial)
    assert response.status_code == 200
    return response.text, [query["sql"] for query in queries]


def parts(text):
    return dict(PART.findall(text))


def whole_parts(browser, address):
    found = parts(asked(browser, address)[0])
    return {part for part, kind in found.items() if kind == "revision"}


@pytest.mark.parametrize("who", ["host", "guest"])
@pytest.mark.parametrize("name", ["room", "step", "run"])
@pytest.mark.parametrize("is_ended", [False, True])
def test_it_has_the_parts_that_change_with_the_revision_and_no_more(
    stage, ada, who, name, is_ended
):
    stage.start()
    run = stage.finish()
    stage.room.begin(run.ended_at, card=CARD)
    if is_ended:
        stage.room.end(run.ended_at)
    browser = stage.host if who == "host" else ada
    address = stage.at(name, *{"step": [1], "run": [run.slug]}.get(name, []))
    text = asked(browser, address, part="frame")[0]
    assert {"room-people", "room-bar"} <= {*parts(text)}
    assert parts(text) == dict.fromkeys(whole_parts(browser, address), "revision")
    assert f'data-here="{address}"' in text
    assert 'data-revision="' in text


def test_what_can_be_done_is_in_it(stage, ada):
    text = asked(stage.host, stage.at("room"), part="frame")[0]
    assert {"room-predicted", "room-drive", "room-host"} < {*parts(text)}
    assert "data-run" in text
    assert "room-host" not in parts(asked(ada, stage.at("room"), part="frame")[0])


def test_it_reads_no_report_and_no_more_of_many_runs_than_of_one(stage, ada):
    def run_once():
        stage.start()
        stage.finish()
        return asked(ada, stage.at("room"), part="frame")[1]

    first = run_once()
    for _ in range(3):
        last = run_once()
    assert len(last) <= len(first)
    assert not [sql for sql in last if "report" in sql.partition("FROM")[0]]


def test_the_list_of_steps_reads_no_report_but_the_one_that_is_shown(stage, ada):
    for _ in range(3):
        stage.start()
        stage.finish()
    queries = asked(ada, stage.at("room"))[1]
    reading = [sql for sql in queries if "report" in sql.partition("FROM")[0]]
    assert len(reading) <= 1, reading
