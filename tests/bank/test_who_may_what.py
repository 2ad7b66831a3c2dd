"""README's table of who may do what in the bank, cell by cell."""

import re
from pathlib import Path

import pytest
from django.utils import timezone

from interview.bank.models import Interview, Scorecard
from tests.bank import stage
from tests.people import INTERVIEW, address, gather

pytestmark = pytest.mark.django_db
README = Path(__file__).resolve().parents[2] / "README.md"
COLUMNS = ("inter", "panel", "host", "owner", "appl", "anon")
"""The people of the permission table; host has set the interview up and sits on its
panel."""
ASKED = {
    "read every card": [("get", "bank:card"), ("post", "bank:leak")],
    "write cards": [("get", "bank:write"), ("get", "bank:packs")],
    "write and rate sample": [("get", "bank:write_sample"), ("get", "bank:sample")],
    "set up an interview": [("post", "bank:interviews")],
    "read a colleague’s kit": [("get", "bank:kit")],
    "see that an interview": [("get", "bank:interview")],
    "change name": [("post", "bank:edit_interview"), ("post", "bank:make_link")],
    "put questions": [("get", "bank:question"), ("post", "bank:put")],
    "anonymise": [("get", "bank:anonymise"), ("get", "bank:audit")],
    "read what is asked now": [("get", "candidate:surface")],
}
"""By the first words of a row; the others have tests of their own below."""
ELSEWHERE = {"read others’ scores", "read the brief"}


def rows():
    text = README.read_text().split("### Who may do what")[1]
    lines = re.findall(r"^\| (\w.+) \|$", text.split("\n\n")[1], re.MULTILINE)
    return [line.split(" | ") for line in lines]


ROWS = rows()


def key_of(row):
    (found,) = [key for key in (*ASKED, *ELSEWHERE) if row[0].startswith(key)]
    return found


@pytest.fixture
def cast(settings):
    return gather(settings)


def test_each_row_is_tried():
    assert {key_of(row) for row in ROWS} == {*ASKED, *ELSEWHERE}
    assert {len(row) for row in ROWS} == {1 + len(COLUMNS)}


@pytest.mark.parametrize(
    ("row", "person", "cell"),
    [
        (row, person, cell)
        for row in ROWS
        if key_of(row) in ASKED
        for person, cell in zip(COLUMNS, row[1:], strict=True)
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_a_cell_says_who_gets_in(cast, row, person, cell):
    for method, name in ASKED[key_of(row)]:
        # Whoever owns the kit of this interview set it up as well.
        if name == "bank:kit" and person == "host":
            continue
        status = cast.ask(person, method, name).status_code
        # A form without its fields is refused after the person was let in.
        gets_in = status in (200, 303, 422)
        sits = cell == "on the panel" and on_panel(cast, person)
        assert gets_in is (cell == "yes" or sits), (name, status)


def on_panel(cast, person):
    held = Interview.objects.get(pk=INTERVIEW)
    return held.panel.filter(user=cast.users[person]).exists()


def test_scores_open_as_the_table_says(cast):
    """Own is in: what is in; without a place on the panel: when all are in."""
    held = Interview.objects.get(pk=INTERVIEW)
    host, panel, owner = (cast.users[each] for each in ("host", "panel", "owner"))
    ratings = [1] * held.asked.count()

    def opened(person):
        theirs = Scorecard.objects.open_to(person, held).exclude(interviewer=person)
        return {each.interviewer.name for each in theirs}

    stage.submit(held, panel, ratings)
    assert [opened(each) for each in (host, panel, owner)] == [set(), set(), set()]
    stage.submit(held, host, ratings)
    assert opened(host) == {"panel"}
    assert opened(panel) == {"host"}
    assert opened(owner) == {"host", "panel"}


@pytest.mark.parametrize("person", COLUMNS)
def test_the_brief_is_for_whoever_has_the_link(cast, person):
    held = Interview.objects.get(pk=INTERVIEW)
    _, token = held.make_link(cast.users["host"], timezone.now())
    brief = address("candidate:brief", token=token)
    assert cast.client(person).get(brief).status_code == 200
    assert cast.client(person).post(brief).status_code == 303
