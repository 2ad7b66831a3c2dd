"""Who gets what at every address: each named URL x each kind of person.

A named URL without a row fails, so a new page decides its permissions in this table.
"""

import re
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urljoin

import pytest
from django.db import transaction
from django.http import FileResponse
from django.urls import get_resolver

from tests.people import address, gather, named_urls, patterns

pytestmark = pytest.mark.django_db

# anon   nobody we know
# guest  without account, on a seat of another room
# watch  without account, on a seat of this room
# drive  without account, on the seat that drives this room
# host   an interviewer, who opened this room
# cand   a candidate, who owns the run
# other  another candidate
# inter  another interviewer
# owner  an owner of the installation
# panel  an interviewer on the panel of the interview that host set up and sits on, too
# appl   without account, the candidate of that interview, on a seat of theirs
#
# A cell is a status; "out" is what nobody we know gets at a page for people.
TABLE = """
                            anon guest watch drive host cand other inter owner panel appl
get  home                      out  out  out  out  200  200  200  200  200  200  out
# For whoever watches the server; the metrics from this machine, as here.
get  healthz                   200  200  200  200  200  200  200  200  200  200  200
get  metrics                   200  200  200  200  200  200  200  200  200  200  200
post web:theme                 400  400  400  400  400  400  400  400  400  400  400

# The door, and links whose key is all that they ask for; who is in passes the door.
get  accounts:sign_in          200  200  200  200  302  302  302  302  302  302  200
post accounts:sign_in          422  422  422  422  422  422  422  422  422  422  422
post accounts:sign_out         303  303  303  303  303  303  303  303  303  303  303
get  accounts:invitation       404  404  404  404  404  404  404  404  404  404  404
get  accounts:password         404  404  404  404  404  404  404  404  404  404  404
# One's own account; a session of somebody else is not found.
get  accounts:account          out  out  out  out  200  200  200  200  200  200  out
post accounts:account          out  out  out  out  422  422  422  422  422  422  out
post accounts:change_password  out  out  out  out  422  422  422  422  422  422  out
post accounts:end_sessions     out  out  out  out  303  303  303  303  303  303  out
post accounts:end_session      out  out  out  out  404  404  404  404  404  404  out
# Owners alone; others are refused before anybody is looked for.
get  accounts:people           out  out  out  out  403  403  403  403  200  403  out
post accounts:people           out  out  out  out  403  403  403  403  422  403  out
post accounts:revoke           out  out  out  out  403  403  403  403  404  403  out
post accounts:role             out  out  out  out  403  403  403  403  404  403  out
post accounts:active           out  out  out  out  403  403  403  403  404  403  out
post accounts:password_link    out  out  out  out  403  403  403  403  404  403  out

get  study:cards               out  out  out  out  200  200  200  200  200  200  out
get  study:cards_json          out  out  out  out  200  200  200  200  200  200  out
get  study:card                out  out  out  out  200  200  200  200  200  200  out
get  study:card_json           out  out  out  out  200  200  200  200  200  200  out
get  study:card_print          out  out  out  out  200  200  200  200  200  200  out
# One's own: nobody, owners included, sees another person's.
get  study:mine                out  out  out  out  200  200  200  200  200  200  out
post study:mine                out  out  out  out  303  303  303  303  303  303  out
get  study:search              out  out  out  out  200  200  200  200  200  200  out
get  study:manual              out  out  out  out  200  200  200  200  200  200  out
get  study:terms               out  out  out  out  200  200  200  200  200  200  out
get  study:section             out  out  out  out  200  200  200  200  200  200  out
# One's own practice.
get  study:plan                out  out  out  out  200  200  200  200  200  200  out
post study:plan                out  out  out  out  422  422  422  422  422  422  out

get  study:mocks               out  out  out  out  200  200  200  200  200  200  out
post study:mock_start          out  out  out  out  422  422  422  422  422  422  out
# A mock interview is its person's alone; here it waits for its first answer.
get  study:mock                out  out  out  out  404  303  404  404  404  404  out
get  study:mock_question       out  out  out  out  404  200  404  404  404  404  out
get  study:mock_report         out  out  out  out  404  303  404  404  404  404  out
post study:mock_next           out  out  out  out  404  303  404  404  404  404  out
post study:mock_text           out  out  out  out  404  303  404  404  404  404  out
post study:mock_end            out  out  out  out  404  303  404  404  404  404  out
post study:mock_grade          out  out  out  out  404  303  404  404  404  404  out
post study:mock_said           out  out  out  out  404  303  404  404  404  404  out
post study:mock_undo           out  out  out  out  404  404  404  404  404  404  out

# Practice is for everybody; a session and its steps are for whoever began it.
get  study:practice            out  out  out  out  200  200  200  200  200  200  out
post study:practice_start      out  out  out  out  303  303  303  303  303  303  out
get  study:session             out  out  out  out  404  303  404  404  404  404  out
get  study:session_end         out  out  out  out  404  303  404  404  404  404  out
post study:session_end         out  out  out  out  404  303  404  404  404  404  out
post study:session_undo        out  out  out  out  404  303  404  404  404  404  out
post study:session_more        out  out  out  out  404  303  404  404  404  404  out
get  study:step                out  out  out  out  404  200  404  404  404  404  out
post study:step_reveal         out  out  out  out  404  303  404  404  404  404  out
post study:step_grade          out  out  out  out  404  303  404  404  404  404  out
post study:step_attempt        out  out  out  out  404  303  404  404  404  404  out
post study:step_confidence     out  out  out  out  404  303  404  404  404  404  out
post study:step_skip           out  out  out  out  404  303  404  404  404  404  out
post study:step_keep           out  out  out  out  404  303  404  404  404  404  out
post study:step_reset          out  out  out  out  404  303  404  404  404  404  out
post study:step_flag           out  out  out  out  404  303  404  404  404  404  out
post study:step_suspend        out  out  out  out  404  303  404  404  404  404  out

# One's own, whoever one is: others' practice shows nowhere.
get  study:progress            out  out  out  out  200  200  200  200  200  200  out
get  study:recalled            out  out  out  out  200  200  200  200  200  200  out
get  study:history             out  out  out  out  200  200  200  200  200  200  out
# One's own data; a file that somebody else brought in is not found.
get  study:cards_print         out  out  out  out  200  200  200  200  200  200  out
get  study:data                out  out  out  out  200  200  200  200  200  200  out
get  study:study_json          out  out  out  out  200  200  200  200  200  200  out
get  study:reviews_csv         out  out  out  out  200  200  200  200  200  200  out
get  study:cards_apkg          out  out  out  out  200  200  200  200  200  200  out
get  study:delete_data         out  out  out  out  200  200  200  200  200  200  out
post study:delete_data         out  out  out  out  422  422  422  422  422  422  out
get  study:import_study        out  out  out  out  200  200  200  200  200  200  out
post study:import_study        out  out  out  out  422  422  422  422  422  422  out
get  study:import_shown        out  out  out  out  404  404  404  404  404  404  out
post study:import_shown        out  out  out  out  404  404  404  404  404  404  out

get  lab:lab                   out  out  out  out  200  200  200  200  200  200  out
get  lab:expected              out  out  out  out  200  200  200  200  200  200  out
get  lab:numbers               out  out  out  out  200  200  200  200  200  200  out
get  lab:import                out  out  out  out  200  200  200  200  200  200  out
post lab:import                out  out  out  out  422  422  422  422  422  422  out
get  lab:compare               out  out  out  out  302  302  302  302  302  302  out
get  lab:runs                  out  out  out  out  200  200  200  200  200  200  out
post lab:runs                  out  out  out  out  422  422  422  422  422  422  out
get  lab:runs_csv              out  out  out  out  200  200  200  200  200  200  out
get  lab:queue                 out  out  out  out  200  200  200  200  200  200  out
get  lab:experiments           out  out  out  out  302  302  302  302  302  302  out
get  lab:experiment            out  out  out  out  200  200  200  200  200  200  out

# A run is its owner's alone.
get  lab:run                   out  out  out  out  404  200  404  404  404  404  out
get  lab:events                out  out  out  out  404  200  404  404  404  404  out
get  lab:replay                out  out  out  out  404  200  404  404  404  404  out
get  lab:log                   out  out  out  out  404  200  404  404  404  404  out
get  lab:run_json              out  out  out  out  404  200  404  404  404  404  out
get  lab:run_csv               out  out  out  out  404  200  404  404  404  404  out
get  lab:run_bench             out  out  out  out  404  404  404  404  404  404  out
post lab:again                 out  out  out  out  404  303  404  404  404  404  out
post lab:pin                   out  out  out  out  404  303  404  404  404  404  out
# Whoever may interview frees the endpoint, without seeing what ran there.
post lab:stop                  out  out  out  out  303  303  404  303  303  303  out

get  room:rooms                out  out  out  out  200  200  200  200  200  200  out
post room:rooms                out  out  out  out  303  303  303  303  303  303  out
# The door stands open to whoever has the code.
get  room:ask_code             200  200  200  200  200  200  200  200  200  200  200
get  room:join                 200  200  200  200  303  200  200  200  200  200  200
post room:join                 303  303  303  303  303  303  303  303  303  303  303
# A room is for its seats; no role in the installation opens it.
get  room:room                 403  403  200  200  200  403  403  403  403  403  403
get  room:events               403  403  200  200  200  403  403  403  403  403  403
get  room:step                 403  403  200  200  200  403  403  403  403  403  403
get  room:run                  403  403  200  200  200  403  403  403  403  403  403
get  room:run_events           403  403  200  200  200  403  403  403  403  403  403
get  room:run_log              403  403  200  200  200  403  403  403  403  403  403
get  room:replay               403  403  200  200  200  403  403  403  403  403  403
get  room:door                 403  403  200  200  200  403  403  403  403  403  403
post room:hand                 403  403  303  303  303  403  403  403  403  403  403
post room:leave                403  403  303  303  303  403  403  403  403  403  403
post room:predict              403  403  422  422  422  403  403  403  403  403  403
post room:press                403  403  422  422  422  403  403  403  403  403  403
# Whoever drives, and the host.
post room:start                403  403  403  422  422  403  403  403  403  403  403
post room:stop                 403  403  403  303  303  403  403  403  403  403  403
# The host alone.
get  room:presenter            403  403  403  403  200  403  403  403  403  403  403
post room:begin                403  403  403  403  303  403  403  403  403  403  403
post room:show                 403  403  403  403  303  403  403  403  403  403  403
post room:driver               403  403  403  403  303  403  403  403  403  403  403
post room:freeze               403  403  403  403  303  403  403  403  403  403  403
post room:remove               403  403  403  403  303  403  403  403  403  403  403
post room:code                 403  403  403  403  303  403  403  403  403  403  403
post room:end                  403  403  403  403  303  403  403  403  403  403  403

# The bank is for who may interview.
get  bank:questions            out  out  out  out  200  403  403  200  200  200  out
get  bank:card                 out  out  out  out  200  403  403  200  200  200  out
post bank:leak                 out  out  out  out  422  403  403  422  422  422  out
# Samples are for all interviewers; who wrote one retires it, and owners do.
get  bank:calibration          out  out  out  out  200  403  403  200  200  200  out
get  bank:write_sample         out  out  out  out  200  403  403  200  200  200  out
post bank:write_sample         out  out  out  out  422  403  403  422  422  422  out
get  bank:sample               out  out  out  out  200  403  403  200  200  200  out
post bank:rate_sample          out  out  out  out  422  403  403  422  422  422  out
post bank:retire_sample        out  out  out  out  303  403  403  404  303  404  out
get  bank:interviews           out  out  out  out  200  403  403  200  200  200  out
post bank:interviews           out  out  out  out  422  403  403  422  422  422  out
# An interview is for its panel, for who set it up, and for owners.
get  bank:interview            out  out  out  out  200  403  403  404  200  200  out
# What it is and its links are for who set it up, and for owners.
post bank:edit_interview       out  out  out  out  422  403  403  404  422  404  out
post bank:make_link            out  out  out  out  200  403  403  404  200  404  out
post bank:revoke_link          out  out  out  out  303  403  403  404  303  404  out
# A candidate's link is all that its brief asks for, and the seat all that the page asks
# for where the question stands: no role opens that one.
get  candidate:brief           404  404  404  404  404  404  404  404  404  404  404
post candidate:brief           404  404  404  404  404  404  404  404  404  404  404
get  candidate:surface         404  404  404  404  404  404  404  404  404  404  200

# Own cards are every interviewer's; a pack is for whoever brought it in.
get  bank:write                out  out  out  out  200  403  403  200  200  200  out
post bank:write                out  out  out  out  422  403  403  422  422  422  out
post bank:preview              out  out  out  out  200  403  403  200  200  200  out
# A card of the repository: where its file is, and nothing to save.
get  bank:edit                 out  out  out  out  200  403  403  200  200  200  out
post bank:edit                 out  out  out  out  403  403  403  403  403  403  out
get  bank:card_file            out  out  out  out  200  403  403  200  200  200  out
get  bank:packs                out  out  out  out  200  403  403  200  200  200  out
post bank:packs                out  out  out  out  422  403  403  422  422  422  out
get  bank:pack                 out  out  out  out  404  403  403  404  404  404  out
post bank:pack                 out  out  out  out  404  403  403  404  404  404  out
get  bank:pack_file            out  out  out  out  200  403  403  200  200  200  out
# A kit is read by its owner, by all interviewers when it is shared, and by owners of
# the installation; who owns it edits it. This one is not shared.
get  bank:kits                 out  out  out  out  200  403  403  200  200  200  out
post bank:kits                 out  out  out  out  422  403  403  422  422  422  out
get  bank:kit                  out  out  out  out  200  403  403  404  200  404  out
post bank:kit                  out  out  out  out  422  403  403  404  422  404  out
get  bank:kit_version          out  out  out  out  200  403  403  404  200  404  out
get  bank:kit_print            out  out  out  out  200  403  403  404  200  404  out
post bank:kit_draw             out  out  out  out  422  403  403  404  422  404  out
post bank:kit_share            out  out  out  out  303  403  403  404  303  404  out
post bank:kit_duplicate        out  out  out  out  422  403  403  404  422  404  out
post bank:kit_retire           out  out  out  out  303  403  403  404  303  404  out
post bank:kit_void             out  out  out  out  422  403  403  404  422  404  out
# The end of an interview, and its log, are for whoever manages it.
get  bank:anonymise            out  out  out  out  200  403  403  404  200  404  out
post bank:anonymise            out  out  out  out  422  403  403  404  422  404  out
get  bank:delete               out  out  out  out  200  403  403  404  200  404  out
post bank:delete               out  out  out  out  422  403  403  404  422  404  out
get  bank:audit                out  out  out  out  200  403  403  404  200  404  out
# The console is for the panel; a run at a question for whoever sees the interview.
get  bank:console              out  out  out  out  303  403  403  404  404  303  out
get  bank:question             out  out  out  out  200  403  403  404  404  200  out
post bank:question             out  out  out  out  303  403  403  404  404  303  out
post bank:note                 out  out  out  out  422  403  403  404  404  422  out
post bank:put                  out  out  out  out  303  403  403  404  404  303  out
post bank:clear                out  out  out  out  303  403  403  404  404  303  out
post bank:end_interview        out  out  out  out  303  403  403  404  404  303  out
post bank:evidence             out  out  out  out  404  403  403  404  404  404  out
get  bank:evidence_run         out  out  out  out  200  403  403  404  200  200  out
post bank:show_evidence        out  out  out  out  303  403  403  404  404  303  out
post bank:remove_evidence      out  out  out  out  303  403  403  404  404  303  out

# Of a scorecard or its debrief: the panel; nobody else's is found. Nothing is marked
# here, so a submission is refused, a revision leads to the review, and the debrief's
# files are closed; its page says so, also to owners.
get  bank:review               out  out  out  out  200  403  403  404  404  200  out
post bank:review               out  out  out  out  422  403  403  404  404  422  out
post bank:submit               out  out  out  out  422  403  403  404  404  422  out
get  bank:revise               out  out  out  out  303  403  403  404  404  303  out
post bank:revise               out  out  out  out  303  403  403  404  404  303  out
get  bank:scorecard_print      out  out  out  out  200  403  403  404  404  200  out
get  bank:scorecard_md         out  out  out  out  200  403  403  404  404  200  out
get  bank:scorecard_json       out  out  out  out  200  403  403  404  404  200  out
get  bank:scorecard_csv        out  out  out  out  200  403  403  404  404  200  out
get  bank:debrief              out  out  out  out  200  403  403  404  200  200  out
get  bank:debrief_md           out  out  out  out  403  403  403  404  403  403  out
get  bank:debrief_json         out  out  out  out  403  403  403  404  403  403  out
get  bank:debrief_csv          out  out  out  out  403  403  403  404  403  403  out
"""  # noqa: E501
OUT = {"get": 403, "post": 403}


@dataclass(frozen=True, slots=True)
class Row:
    method: str
    name: str
    statuses: dict[str, int]
    """By person."""

    def __str__(self):
        return f"{self.method} {self.name}"


def read(table):
    head, *lines = [line.split() for line in table.splitlines() if line.strip()]
    for method, name, *cells in [line for line in lines if line[0] != "#"]:
        statuses = [OUT[method] if cell == "out" else int(cell) for cell in cells]
        yield Row(method, name, dict(zip(head, statuses, strict=True)))


ROWS = list(read(TABLE))
GETS = [row for row in ROWS if row.method == "get"]
POSTS = [row for row in ROWS if row.method == "post"]


@pytest.fixture
def cast(settings):
    return gather(settings)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_person_gets_what_the_table_says(cast, row):
    found = {}
    for person in row.statuses:
        with undone():
            response = cast.ask(person, row.method, row.name)
            found[person] = response.status_code
            if isinstance(response, FileResponse):
                response.getvalue()
    assert found == row.statuses


def test_the_head_of_a_page_is_answered_as_the_page(cast):
    for person in ("anon", "drive", "cand"):
        client = cast.client(person)
        # A stream has no head worth asking for: it would be opened to be closed.
        for row in [row for row in GETS if not row.name.endswith("events")]:
            response = client.head(address(row.name))
            found = (response.status_code, response.content)
            assert found == (row.statuses[person], b""), (str(row), person)


def test_a_post_without_the_token_of_our_page_is_refused(cast):
    for person in POSTS[0].statuses:
        client = cast.client(person, enforce_csrf_checks=True)
        for row in POSTS:
            response = client.post(address(row.name))
            assert response.status_code == 403, (str(row), person)
            assert "The form has expired" in response.text


def test_a_method_that_no_page_has_is_refused(cast):
    client = cast.client("cand")
    for row in ROWS:
        for method in (client.put, client.patch, client.delete):
            response = method(address(row.name))
            assert response.status_code == 405, str(row)
            assert response["Allow"]


def test_the_address_of_a_form_leads_a_browser_to_a_page(cast):
    shown, followed = {row.name for row in GETS}, 0
    for person in ("anon", "cand"):
        client = cast.client(person)
        for row in [row for row in POSTS if row.name not in shown]:
            at = address(row.name)
            while (response := client.get(at)).status_code == 405:
                assert response["Allow"] == "POST", str(row)
                up = re.search(r'<a class="button" href="([^"]+)"', response.text)[1]
                above = urljoin(at, up)
                assert at != above, str(row)
                assert at.startswith(above), str(row)
                at, followed = above, followed + 1
            assert response.status_code != 404, str(row)
    assert followed > len(POSTS) / 2


def test_the_token_of_our_page_is_asked_for_before_the_method(cast):
    client = cast.client("cand", enforce_csrf_checks=True)
    for row in ROWS:
        assert client.put(address(row.name)).status_code == 403


def test_every_named_url_has_a_row_and_every_row_a_url():
    assert set(named_urls()) == {row.name for row in ROWS}


def test_no_url_is_without_a_name():
    assert None not in {pattern.name for _, pattern in patterns(get_resolver())}


@contextmanager
def undone():
    """What happens inside leaves no trace in the database."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
