"""A load from the queue to its result with a real client and a scripted server."""

import pytest

from interview.lab.load_result import LoadResult
from interview.lab.models import Kind, Status
from tests.lab.scripted import streams
from tests.lab.stage import Lab, ended, working

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lab(alice, settings):
    return lambda script: Lab(alice, settings, script)


LOAD = {"levels": [1, 3], "repeat": 2, "requests": [2, 6], "max_tokens": 8}


def test_a_load_is_measured_level_by_level(lab):
    with lab(streams("a", "b", "c", pause_s=0.01)) as site, working():
        run = ended(site.run(**LOAD))
    assert (run.status, run.error, run.kind) == (Status.COMPLETED, "", Kind.LOAD)
    result = LoadResult.of(run.report, run.asked)
    assert [level.users for level in result.levels] == [1, 3]
    assert [level.completed for level in result.levels] == [4, 12]
    assert [level.repetitions for level in result.levels] == [2, 2]
    assert result.level(3).reached_users == 3
    assert result.missing == ()
    assert "got" in result.sentences()[0]
    told = [event for event in run.events() if event["k"] == "report"]
    assert [event["report"] for event in told] == [None]
