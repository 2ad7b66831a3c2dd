"""How a run ends: each cause has its status and its sentence."""

import pytest

from interview.lab.models import Status
from interview.lab.runs.outcome import Ending, load_outcome, outcome
from interview.lab.runs.spec import Spec
from tests.lab import loads

COMPLETED = {"status": "completed", "error": None}
CANCELLED = {"status": "cancelled", "error": "stopped before its end"}
FAILED = {"status": "failed", "error": "HTTP 503: busy"}


def report(*requests, notes=()):
    return {"requests": list(requests), "summary": {"notes": list(notes)}}


@pytest.mark.parametrize(
    ("ending", "told", "fault", "exit_status", "status", "word"),
    [
        (Ending.ITSELF, report(COMPLETED), "", 0, "completed", ""),
        (Ending.ITSELF, report(FAILED), "", 0, "failed", "HTTP 503: busy"),
        (Ending.ITSELF, report(COMPLETED, FAILED), "", 0, "failed", "503"),
        (Ending.STOP, report(CANCELLED), "", 0, "cancelled", "Stopped before"),
        (Ending.STOP_BY_OTHER, report(CANCELLED), "", 0, "cancelled", "may interview"),
        (Ending.STOP, report(COMPLETED), "", 0, "completed", ""),
        (Ending.STOP, report(), "", 0, "cancelled", "Stopped before"),
        (Ending.CAP, report(CANCELLED), "", 0, "incomplete", "time limit"),
        (Ending.WORKER, report(CANCELLED), "", 0, "interrupted", "was stopped"),
        (Ending.ITSELF, report(CANCELLED), "", 0, "interrupted", "from outside"),
        (Ending.ITSELF, None, "Could not connect", 3, "failed", "Could not connect"),
        (Ending.ITSELF, None, "", -9, "interrupted", "signal 9"),
        (Ending.ITSELF, None, "", 1, "failed", "exit status 1"),
        (Ending.STOP, None, "", -9, "cancelled", "Stopped before"),
        (Ending.WORKER, None, "", -9, "interrupted", "was stopped"),
    ],
)
def test_a_run_ends_as_its_cause_says(ending, told, fault, exit_status, status, word):
    ended = outcome(ending, told, fault, exit_status)
    assert ended.status == Status(status)
    assert word in ended.error
    assert bool(ended.error) is (status != "completed")


def test_a_level_stopped_by_its_own_time_limit_is_incomplete():
    told = report(CANCELLED, notes=["time-limit"])
    ended = outcome(Ending.ITSELF, told, "", 0)
    assert (ended.status, "time limit" in ended.error) == (Status.INCOMPLETE, True)


LOAD = Spec("Why?", levels=[1, 4], repeat=1, requests=[1, 2])


def load_report(first, second, notes=()):
    levels = [(1, first), (4, second)]
    return loads.report(
        *(
            loads.level(
                users,
                loads.repetition(
                    users, [loads.request(status=s) for s in statuses], notes=notes
                ),
            )
            for users, statuses in levels
            if statuses
        )
    )


@pytest.mark.parametrize(
    ("ending", "first", "second", "status", "word"),
    [
        ("ITSELF", ["completed"], ["completed"] * 2, "completed", ""),
        ("ITSELF", ["completed"], ["failed", "completed"], "completed", ""),
        ("ITSELF", ["completed"], ["failed"] * 2, "incomplete", "with 4 users; what"),
        ("ITSELF", ["failed"], ["completed"] * 2, "incomplete", "with 1 user; what"),
        ("ITSELF", ["failed"], ["failed"] * 2, "failed", "HTTP 500"),
        ("STOP", ["completed"], ["completed"] * 2, "completed", ""),
        ("STOP", ["completed"], ["completed", "cancelled"], "cancelled", "Stopped"),
        ("STOP", ["completed"], ["cancelled"] * 2, "cancelled", "Stopped"),
        ("STOP", ["completed"], [], "cancelled", "Stopped"),
        ("WORKER", ["completed"], [], "interrupted", "worker was stopped"),
        ("CAP", ["completed"], ["completed"], "incomplete", "time limit"),
        ("ITSELF", ["completed"], [], "interrupted", "from outside"),
    ],
)
def test_a_load_ends_as_its_cause_says(ending, first, second, status, word):
    told = load_report(first, second)
    ended = load_outcome(Ending[ending], told, "", 0, LOAD)
    assert (ended.status, word in ended.error) == (Status(status), True)
    assert bool(ended.error) is (status != "completed")


def test_a_load_with_a_repetition_cut_by_its_time_limit_is_incomplete():
    told = load_report(["completed"], ["completed", "cancelled"], notes=["time-limit"])
    ended = load_outcome(Ending.ITSELF, told, "", 0, LOAD)
    assert (ended.status, "time limit" in ended.error) == (Status.INCOMPLETE, True)


def test_a_load_without_a_report_says_why():
    ended = load_outcome(Ending.ITSELF, None, "Could not connect", 3, LOAD)
    assert (ended.status, ended.error) == (Status.FAILED, "Could not connect")
