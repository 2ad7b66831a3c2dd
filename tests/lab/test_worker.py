"""The worker with a real child against a scripted server, up to killed processes."""

import os
import signal
import subprocess
import time
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from interview.lab.measuring.child import Child
from interview.lab.models import Run, Status, Worker
from tests.lab.scripted import end, endless, refuse, say, start, streams, tokens
from tests.lab.stage import Lab, ended, first_request, process, streaming, working

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lab(alice, settings):
    """Serve a script and make runs against it: `with lab(script) as endpoint`."""
    return lambda script: Lab(alice, settings, script)


def test_a_run_is_measured_from_the_queue_to_its_report(lab):
    with lab(streams("Be", "cause", ".", pause_s=0.03)) as site, working():
        run = ended(site.run(extra_body={}))
    assert (run.status, run.error) == (Status.COMPLETED, "")
    assert first_request(run)["text"] == "Because."
    assert first_request(run)["tokens"] == 3
    events = list(run.events())
    assert [e["text"] for e in events if e["k"] == "tokens"] == ["Be", "cause", "."]
    kinds = [event["k"] for event in events]
    assert {"hello", "phase", "request", "report"} <= set(kinds)
    assert kinds[-1] == "report"
    assert run.first_after_start
    assert not run.simulated
    assert run.started_at < run.ended_at


def test_the_request_asks_what_the_run_says(lab, settings):
    settings.LAB_API_KEY = "sk-very-secret"
    settings.LAB_EXTRA_BODY = '{"top_k": 1}'
    with lab(streams("ok")) as site, working():
        fresh = ended(site.run(prompt="Why?", max_tokens=7))
        same = ended(site.run(prompt="Why?", fresh_prompt=False))
    assert (fresh.status, same.status) == (Status.COMPLETED, Status.COMPLETED)
    first, second = site.endpoint.bodies
    assert (first["max_tokens"], first["top_k"], first["temperature"]) == (7, 1, 0)
    assert "ignore_eos" not in first
    assert first["messages"][0]["content"].endswith("Why?")
    assert first["messages"][0]["content"] != "Why?"
    assert second["messages"][0]["content"] == "Why?"
    assert site.endpoint.keys == ["Bearer sk-very-secret"] * 2


def test_the_key_is_stored_nowhere_even_when_the_server_repeats_it(lab, settings):
    settings.LAB_API_KEY = "sk-very-secret"
    with lab(refuse(401, "Incorrect API key: sk-very-secret")) as site, working():
        run = ended(site.run())
    assert run.status == Status.FAILED
    assert "401" in run.error
    stored = str([run.error, run.report, run.spec, *run.batches.values()])
    assert "sk-very-secret" not in stored


@pytest.mark.parametrize("key", ["x", "1", "null", "token"])
def test_a_word_that_stands_for_no_key_changes_nothing(lab, settings, key):
    """Clients must often be given one, whatever it is, where the server wants none."""
    settings.LAB_API_KEY = key
    with lab(streams("Box", " 1")) as site, working():
        run = ended(site.run())
    assert (run.status, run.error) == (Status.COMPLETED, "")
    assert (first_request(run)["text"], first_request(run)["tokens"]) == ("Box 1", 2)
    assert {"hello", "tokens", "report"} <= {event["k"] for event in run.events()}


def test_a_run_starts_when_the_tidying_before_it_is_over(lab, monkeypatch):
    """Else it would be given up for dead, and its time would be too long."""
    tidied = []

    def slow(now):
        time.sleep(0.3)
        tidied.append(timezone.now())

    monkeypatch.setattr("interview.lab.measuring.worker.tidy", slow)
    with lab(streams("ok")) as site:
        run = site.run()
        with working():
            run = ended(run)
    assert run.started_at >= tidied[0]


def cut(handler):
    start(handler)
    tokens(handler, "half ", "an ", "answer", pause_s=0.05)
    handler.connection.close()


def break_off(handler):
    start(handler)
    tokens(handler, "half ", "an ", "answer", pause_s=0.05)
    say(handler, {"error": {"message": "EngineDeadError", "code": 500}})


def nul(handler):
    start(handler)
    tokens(handler, "a\x00b")
    end(handler)


@pytest.mark.parametrize(
    ("script", "status", "word", "text"),
    [
        (refuse(401, "Unauthorized"), "failed", "401", ""),
        (refuse(404, "The model does not exist."), "failed", "does not exist", ""),
        (refuse(400, "maximum context length is 40"), "failed", "context length", ""),
        (refuse(503, "Overloaded"), "failed", "503", ""),
        (break_off, "failed", "EngineDeadError", "half an answer"),
        (cut, "incomplete", "after 3 tokens", "half an answer"),
    ],
)
def test_a_run_that_fails_says_why_and_keeps_what_came(lab, script, status, word, text):
    with lab(script) as site, working():
        run = ended(site.run())
    assert (run.status, word in run.error) == (Status(status), True), run.error
    assert first_request(run)["text"] == text


def test_an_endpoint_that_is_not_there_is_named(lab):
    with lab(streams("x")) as site:
        pass
    with working():
        run = ended(site.run())
    assert run.status == Status.FAILED
    assert run.error.startswith("Could not connect to")
    Worker(name="w", started_at=timezone.now(), alive_at=timezone.now()).save()
    assert Run.objects.endpoint_state(timezone.now()).state == "unreachable"


def test_text_that_postgresql_refuses_is_stored_all_the_same(lab):
    with lab(nul) as site, working():
        run = ended(site.run())
    assert run.status == Status.COMPLETED
    assert first_request(run)["text"] == "a\ufffdb"


def test_stop_ends_the_request_at_the_endpoint_too(lab):
    with lab(endless) as site, working():
        run = streaming(site.run())
        run.ask_stop(timezone.now())
        run = ended(run, 6)
        assert site.endpoint.closed.wait(5)
    assert run.status == Status.CANCELLED
    assert run.error.startswith("Stopped")
    assert first_request(run)["text"].startswith("0 1 2 ")


def test_a_run_that_another_stopped_says_so(lab, bob):
    with lab(endless) as site, working():
        run = streaming(site.run())
        run.ask_stop(timezone.now(), bob)
        run = ended(run, 6)
    assert run.status == Status.CANCELLED
    assert run.error.startswith("Stopped by somebody who may interview")


@pytest.mark.parametrize("cap", ["LAB_MAX_SECONDS", "LAB_MAX_RUN_SECONDS"])
def test_a_run_above_its_time_ends_incomplete(lab, settings, cap):
    setattr(settings, cap, 2)
    with lab(endless) as site, working():
        run = ended(site.run())
    assert run.status == Status.INCOMPLETE
    assert "time limit" in run.error
    assert first_request(run)["text"].startswith("0 1 2 ")


def test_runs_are_measured_one_after_the_other_by_two_workers(lab):
    with lab(streams("a", "b", pause_s=0.1)) as site, working(), working():
        runs = [ended(run) for run in [site.run(), site.run(), site.run()]]
    assert {run.status for run in runs} == {Status.COMPLETED}
    assert (len(site.endpoint.bodies), site.endpoint.most_at_once) == (3, 1)


def test_a_leaving_worker_interrupts_its_run_and_is_gone_soon(lab):
    with lab(endless) as site:
        with working():
            run = streaming(site.run())
            left = time.monotonic()
        took = time.monotonic() - left
    run.refresh_from_db()
    assert run.status == Status.INTERRUPTED
    assert "worker was stopped" in run.error
    assert first_request(run)["text"].startswith("0 1 2 ")
    assert not Worker.objects.exists()
    assert took < 5


def test_a_killed_child_interrupts_its_run_and_the_next_one_works(lab, monkeypatch):
    children = []

    class Watched(Child):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            children.append(self)

    monkeypatch.setattr("interview.lab.measuring.worker.Child", Watched)
    with lab(endless) as site, working():
        run = streaming(site.run())
        os.kill(children[0].pid, signal.SIGKILL)
        run = ended(run, 8)
        site.endpoint.script = streams("fine")
        after = ended(site.run())
    assert run.status == Status.INTERRUPTED
    assert "signal 9" in run.error
    assert first_request(run)["text"].startswith("0 1 2 ")
    assert first_request(run)["ttft_ms"] > 0
    assert after.status == Status.COMPLETED


def test_a_run_given_up_for_dead_stops_its_worker(lab):
    with lab(endless) as site, working():
        run = streaming(site.run())
        Run.objects.filter(pk=run.pk).update(
            status=Status.INTERRUPTED, claim_token="", ended_at=timezone.now()
        )
        assert site.endpoint.closed.wait(10)
        site.endpoint.script = streams("fine")
        assert ended(site.run()).status == Status.COMPLETED


@pytest.fixture
def soon_dead(monkeypatch):
    """A silent worker is given up after 4 s instead of 10."""
    short = timedelta(seconds=4)
    monkeypatch.setattr("interview.lab.models.runs.DEAD_AFTER", short)


def test_a_database_that_fails_costs_the_run_and_no_more(lab, soon_dead, monkeypatch):
    with lab(endless) as site, working():
        run = streaming(site.run())
        with monkeypatch.context() as broken:
            broken.setattr(Run, "append", fail)
            assert site.endpoint.closed.wait(10)
        site.endpoint.script = streams("fine")
        after = ended(site.run())
        run = ended(run)
    assert run.status == Status.INTERRUPTED
    assert first_request(run)["text"].startswith("0 1 2 ")
    assert after.status == Status.COMPLETED


def fail(*arguments):
    raise OperationalError("the database is away")


def test_a_killed_worker_takes_its_child_along_and_the_next_goes_on(lab, soon_dead):
    with lab(endless) as site:
        with process() as worker:
            run = streaming(site.run())
            worker.kill()
            worker.wait()
        assert site.endpoint.closed.wait(8)
        site.endpoint.script = streams("fine")
        after = site.run()
        assert Run.objects.get(pk=run.pk).status == Status.RUNNING
        with working():
            run, after = ended(run), ended(after)
    assert run.status == Status.INTERRUPTED
    assert "worker died" in run.error
    assert first_request(run)["text"].startswith("0 1 2 ")
    assert after.status == Status.COMPLETED


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_worker_in_good_order(lab, number):
    with lab(endless) as site, process() as worker:
        run = streaming(site.run())
        worker.send_signal(number)
        assert worker.wait(10) == 0
        run.refresh_from_db()
        assert run.status == Status.INTERRUPTED
        assert site.endpoint.closed.wait(5)


def test_the_end_of_its_parent_ends_the_worker(lab):
    with lab(streams("x")) as site, process("--stop-on-eof", stdin=-1) as worker:
        assert ended(site.run()).status == Status.COMPLETED
        worker.stdin.close()
        assert worker.wait(10) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_worker_that_listens_for_its_parent(lab, number):
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with lab(streams("x")) as site, process("--stop-on-eof", **pipes) as worker:
        assert ended(site.run()).status == Status.COMPLETED
        worker.send_signal(number)
        assert worker.wait(10) == 0
        assert b"Fatal Python error" not in worker.stderr.read()


def test_the_worker_refuses_to_start_without_an_endpoint(settings):
    from django.core.management import CommandError, call_command

    settings.LAB_URL = ""
    with pytest.raises(CommandError, match="set LAB_URL and LAB_MODEL"):
        call_command("lab_worker")
