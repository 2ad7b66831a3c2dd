"""A load from the queue to its result with a real client, and what cuts it short."""

import os
import signal
from datetime import timedelta

import pytest
from django.utils import timezone

from interview.lab.measuring.child import Child
from interview.lab.measuring.worker import tidy
from interview.lab.models import Kind, Run, Status
from interview.lab.results.load_result import LoadResult
from tests.lab.scripted import endless, refuse, streams
from tests.lab.stage import Lab, ended, process, until, working

pytestmark = pytest.mark.django_db(transaction=True)

LOAD = {"levels": [1, 3], "repeat": 2, "requests": [2, 6], "max_tokens": 8}
CUT = {"levels": [1, 3, 5], "repeat": 1, "requests": [2, 6, 10], "max_tokens": 8}
FIRST_LEVEL = 3
"""Requests of CUT's first level, with its warm-up."""
BEFORE_SECOND = 6
"""With the three warm-ups of its second level, too."""


@pytest.fixture
def lab(alice, settings):
    return lambda script: Lab(alice, settings, script)


@pytest.fixture
def soon_dead(monkeypatch):
    """A silent worker is given up after 4 s instead of 10."""
    monkeypatch.setattr("interview.lab.models.runs.DEAD_AFTER", timedelta(seconds=4))


@pytest.fixture
def children(monkeypatch):
    """The measuring processes that were started."""
    started = []

    class Watched(Child):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            started.append(self)

    monkeypatch.setattr("interview.lab.measuring.worker.Child", Watched)
    return started


class Turning:
    """Answers `count` requests as `first` does and all others as `then`."""

    def __init__(self, count, first, then):
        self.left, self.first, self.then = count, first, then

    def __call__(self, handler):
        self.left -= 1
        (self.first if self.left >= 0 else self.then)(handler)


def answers():
    return streams("a", "b", "c", pause_s=0.01)


def stuck():
    """The second level never ends."""
    return Turning(BEFORE_SECOND, answers(), endless)


def in_second_level(run):
    """The run, once streams of its second level were told."""

    def is_there(now):
        kinds = [event["k"] for event in now.events()]
        return kinds.count("level") == 3 and "ticks" in kinds

    return until(run, is_there, 30)


def result(run):
    return LoadResult.of(run.report, run.asked)


def missing(found):
    """Users of the levels that were not measured."""
    return [load.users for load in found.missing]


def first_level_is_kept(run):
    found = result(run)
    assert [level.completed for level in found.levels][:1] == [2]
    assert found.levels[0].tpot.p50 > 0
    assert found.levels[0].output_tokens_per_s > 0
    return found


def test_a_load_is_measured_level_by_level(lab):
    with lab(answers()) as site, working():
        run = ended(site.run(**LOAD))
    assert (run.status, run.error, run.kind) == (Status.COMPLETED, "", Kind.LOAD)
    found = result(run)
    assert [level.users for level in found.levels] == [1, 3]
    assert [level.completed for level in found.levels] == [4, 12]
    assert [level.repetitions for level in found.levels] == [2, 2]
    assert found.level(3).reached_users == 3
    assert found.level(3).bands["tpot_ms"].low > 0
    assert found.missing == ()
    assert "3 users got" in found.sentences()[0]


def test_the_report_is_stored_once(lab):
    with lab(answers()) as site, working():
        run = ended(site.run(**LOAD))
    told = [event for event in run.events() if event["k"] == "report"]
    assert [event["report"] for event in told] == [None]
    assert run.report["levels"]


def test_one_level_of_many_users_is_a_load_too(lab):
    with lab(answers()) as site, working():
        run = ended(site.run(levels=[4], requests=[8], max_tokens=8))
    (only,) = result(run).levels
    assert (run.status, only.users, only.completed) == (Status.COMPLETED, 4, 8)


def test_goodput_is_of_the_limits_that_were_asked(lab):
    limits = {"ttft_ms": 60_000.0, "tpot_ms": 0.001}
    with lab(answers()) as site, working():
        run = ended(site.run(**LOAD | {"limits": limits}))
    assert {level.goodput.requests for level in result(run).levels} == {0}
    assert result(run).levels[0].goodput.limits == limits | {"e2e_ms": None}


def test_stop_keeps_the_levels_that_ended(lab):
    with lab(stuck()) as site, working():
        run = in_second_level(site.run(**CUT))
        run.ask_stop(timezone.now())
        run = ended(run, 10)
        assert site.endpoint.closed.wait(5)
    assert (run.status, run.error[:7]) == (Status.CANCELLED, "Stopped")
    found = first_level_is_kept(run)
    assert missing(found) == [5]
    assert "Not measured: 5 users." in found.sentences()


def test_a_killed_child_leaves_the_levels_that_ended(lab, children):
    with lab(stuck()) as site, working():
        run = in_second_level(site.run(**CUT))
        os.kill(children[0].pid, signal.SIGKILL)
        run = ended(run, 10)
    assert (run.status, "signal 9" in run.error) == (Status.INTERRUPTED, True)
    assert missing(first_level_is_kept(run)) == [3, 5]


def test_a_restarted_worker_leaves_the_levels_that_ended(lab):
    with lab(stuck()) as site:
        with working():
            run = in_second_level(site.run(**CUT))
        run.refresh_from_db()
        assert run.status == Status.INTERRUPTED
        assert "worker was stopped" in run.error
        first_level_is_kept(run)
        site.endpoint.script = answers()
        with working():
            assert ended(site.run(**CUT)).status == Status.COMPLETED


def test_a_killed_worker_leaves_the_levels_that_ended(lab, soon_dead):
    with lab(stuck()) as site:
        with process() as worker:
            run = in_second_level(site.run(**CUT))
            worker.kill()
            worker.wait()
        with working():
            run = ended(run)
    assert (run.status, "worker died" in run.error) == (Status.INTERRUPTED, True)
    assert missing(first_level_is_kept(run)) == [3, 5]


def test_a_restarted_endpoint_costs_its_level_and_no_other(lab):
    # Its streams break off and it refuses for a while, as a starting server does.
    script = Turning(BEFORE_SECOND, answers(), break_off)
    script.then = Turning(6, break_off, answers())
    with lab(script) as site, working():
        run = ended(site.run(**CUT))
    assert run.status == Status.INCOMPLETE
    assert run.error.startswith("No request was completed with 3 users;")
    found = first_level_is_kept(run)
    assert [level.completed for level in found.levels] == [2, 0, 10]
    assert "5 users got" in found.sentences()[0]
    assert "With 3 users no request was completed" in found.sentences()[1]


def break_off(handler):
    handler.connection.close()


def test_a_level_of_errors_is_a_row_with_none_completed(lab):
    script = Turning(FIRST_LEVEL, answers(), refuse(500, "out of memory"))
    with lab(script) as site, working():
        run = ended(site.run(**LOAD | {"repeat": 1}))
    assert run.status == Status.INCOMPLETE
    row = result(run).level(3)
    assert (row.completed, row.failed, row.tpot) == (0, 6, None)
    assert "out of memory" in row.error


def test_a_load_of_errors_alone_has_failed(lab):
    with lab(refuse(500, "out of memory")) as site, working():
        run = ended(site.run(**LOAD))
    assert (run.status, "out of memory" in run.error) == (Status.FAILED, True)
    assert {level.completed for level in result(run).levels} == {0}


def test_an_endpoint_that_is_not_there_fails_the_load(lab):
    with lab(answers()) as site:
        pass
    with working():
        run = ended(site.run(**LOAD))
    assert run.status == Status.FAILED
    assert run.error.startswith("Could not connect to")
    assert run.report is None


def test_the_time_limit_of_a_run_keeps_the_levels_that_ended(lab, settings):
    with lab(stuck()) as site, working():
        run = site.run(**CUT)
        settings.LAB_MAX_RUN_SECONDS = 3
        run = ended(run)
    assert (run.status, "time limit" in run.error) == (Status.INCOMPLETE, True)
    first_level_is_kept(run)


def test_the_time_limit_of_a_repetition_ends_that_one_alone(lab, settings):
    script = stuck()
    with lab(script) as site, working():
        run = site.run(**CUT)
        settings.LAB_MAX_SECONDS = 2
        run = in_second_level(run)
        script.then = answers()
        run = ended(run)
    assert (run.status, "time limit" in run.error) == (Status.INCOMPLETE, True)
    found = first_level_is_kept(run)
    assert found.level(5).completed == 10
    assert found.level(3).cancelled > 0


def test_cleaning_up_keeps_every_number_of_a_load(lab, settings):
    settings.LAB_KEEP_DAYS = 2
    with lab(answers()) as site, working():
        run = ended(site.run(**LOAD))
    before = result(run)
    tidy(timezone.now() + timedelta(days=3))
    run.refresh_from_db()
    assert not run.batches.exists()
    assert result(run) == before
    assert '"abc"' not in str(run.report).replace("'", '"')


def bytes_of(run):
    """What the run takes in the database."""
    stored = Run.objects.values_list("report").get(pk=run.pk)
    batches = run.batches.values_list("payload", flat=True)
    return len(str(stored)) + sum(len(payload) for payload in batches)


def test_a_load_of_64_users_takes_less_than_2_mb_per_10_000_tokens(lab):
    words = [f"word{n} " for n in range(40)]
    with lab(streams(*words, pause_s=0.05)) as site, working():
        run = ended(site.run(levels=[64], requests=[128], max_tokens=64), 120)
    (only,) = result(run).levels
    assert (run.status, only.completed, only.tokens) == (
        Status.COMPLETED,
        128,
        128 * 40,
    )
    assert bytes_of(run) < 2_000_000 * only.tokens / 10_000
