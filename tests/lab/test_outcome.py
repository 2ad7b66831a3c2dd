"""How a run ends: each cause has its status and its sentence."""

import pytest

from interview.lab.models import Status
from interview.lab.outcome import Ending, outcome

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
