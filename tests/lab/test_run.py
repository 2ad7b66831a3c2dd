"""A run from the queue to its end: claims, caps, stop, and workers that die."""

import threading

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError

from interview.accounts.models import Role, User
from interview.lab.errors import ClaimLost, LabError, OverCap
from interview.lab.measuring.worker import tidy
from interview.lab.models import Run, RunEvent, Status
from tests.lab.cast import NOW, REPORT, batch, later, phase, token


def test_a_run_is_seen_by_its_owner_alone(make_run, alice, bob):
    run = make_run()
    assert list(Run.objects.visible_to(alice)) == [run]
    assert not Run.objects.visible_to(bob)


def test_the_owner_of_a_local_installation_sees_all_runs(make_run, settings, bob):
    run = make_run()
    settings.PREFILL_MODE = "local"
    owner = User.objects.create(name="o", role=Role.OWNER, password="!")
    assert list(Run.objects.visible_to(owner)) == [run]
    assert not Run.objects.visible_to(bob)


def test_the_owner_of_a_shared_installation_sees_only_own_runs(make_run):
    make_run()
    owner = User.objects.create(name="o", role=Role.OWNER, password="!")
    assert not Run.objects.visible_to(owner)


def test_runs_wait_in_the_order_they_came(make_run, bob):
    first, second = make_run(), make_run(owner=bob)
    assert list(Run.objects.queued()) == [first, second]
    assert [turn.run for turn in Run.objects.line(NOW)] == [first.pk, second.pk]


def test_a_claimed_run_has_no_place(claimed):
    run, _ = claimed
    assert run.status == Status.RUNNING
    assert run.started_at == NOW
    assert run.turn(NOW) is None


def test_a_run_is_claimed_once(make_run, worker):
    run = make_run()
    assert run.claim(worker, NOW)
    assert run.claim(worker, NOW) is None


def test_only_one_run_of_an_endpoint_runs_at_a_time(make_run, worker, bob):
    first, second = make_run(), make_run(owner=bob)
    assert first.claim(worker, NOW)
    assert second.claim(worker, NOW) is None
    second.refresh_from_db()
    assert second.status == Status.QUEUED


def test_the_database_itself_refuses_a_second_running_run(make_run, bob):
    runs = [make_run().pk, make_run(owner=bob).pk]
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk__in=runs).update(status=Status.RUNNING)


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_gets_the_run(make_run, worker):
    run = make_run()
    start, claims = threading.Barrier(6), []

    def race():
        mine = Run.objects.get(pk=run.pk)
        start.wait()
        claims.append(mine.claim(worker, NOW))
        connection.close()

    threads = [threading.Thread(target=race) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claims) == 6
    assert len([claim for claim in claims if claim]) == 1


def test_batches_are_numbered_from_one(claimed):
    run, claim = claimed
    assert run.append(claim, batch(token("a", 1))) == 1
    assert run.append(claim, batch(token("b", 2))) == 2
    assert RunEvent.objects.batches(run.pk, 0, 9) == [
        (1, batch(token("a", 1))),
        (2, batch(token("b", 2))),
    ]
    assert RunEvent.objects.batches(run.pk, 1, 9) == [(2, batch(token("b", 2)))]
    assert [event["text"] for event in run.events()] == ["a", "b"]


@pytest.mark.parametrize("verb", ["renew", "append", "finish"])
def test_a_wrong_claim_writes_nothing(claimed, verb):
    run, _ = claimed
    verbs = {
        "renew": lambda: run.renew("other", later(1), 5),
        "append": lambda: run.append("other", "[]"),
        "finish": lambda: run.finish("other", Status.FAILED, NOW, report=None),
    }
    with pytest.raises(ClaimLost):
        verbs[verb]()
    run.refresh_from_db()
    assert (run.status, run.alive_at, run.last_seq) == (Status.RUNNING, NOW, 0)
    assert not run.batches.exists()


def test_an_empty_claim_is_no_claim(make_run, worker):
    run = make_run()
    with pytest.raises(ClaimLost):
        run.append("", "[]")


def test_a_finished_run_takes_no_more(claimed):
    run, claim = claimed
    run.finish(claim, Status.COMPLETED, later(2), report={"requests": []})
    assert (run.status, run.ended_at, run.error) == (Status.COMPLETED, later(2), "")
    with pytest.raises(ClaimLost):
        run.append(claim, "[]")


def test_after_a_finished_run_the_next_one_can_start(claimed, make_run, worker):
    run, claim = claimed
    second = make_run()
    run.finish(claim, Status.FAILED, later(1), report=None, error="It broke.")
    assert second.claim(worker, later(2))


def test_the_first_run_since_the_worker_started_is_marked(claimed, make_run, worker):
    run, claim = claimed
    assert run.first_after_start
    run.finish(claim, Status.COMPLETED, later(1), report=None)
    second = make_run()
    second.claim(worker, later(2))
    second.refresh_from_db()
    assert not second.first_after_start


def cancelled(run, worker):
    run.ask_stop(later(1))


def given_up(run, worker):
    """It ran before this worker was there."""
    run.claim(worker, later(-60))
    assert Run.objects.interrupt_dead(later(1)) == 1


@pytest.mark.parametrize("end", [cancelled, given_up])
def test_a_run_that_this_worker_never_saw_makes_the_next_no_second(
    make_run, worker, end
):
    end(make_run(), worker)
    first = make_run()
    first.claim(worker, later(2))
    first.refresh_from_db()
    assert first.first_after_start


def test_what_the_worker_saw_marks_a_run_as_simulated(claimed):
    run, claim = claimed
    assert not run.simulated
    run.finish(claim, Status.COMPLETED, NOW, report=None, simulated=True)
    assert run.simulated


def test_a_queued_run_is_cancelled_at_once(make_run):
    run = make_run()
    run.ask_stop(later(1))
    assert (run.status, run.ended_at) == (Status.CANCELLED, later(1))
    assert run.error == "Stopped before it started."


def test_the_worker_of_a_running_run_is_asked_to_stop(claimed):
    run, _ = claimed
    assert not run.stop_asked()
    run.ask_stop(later(1))
    assert run.status == Status.RUNNING
    assert run.stop_asked()


def test_a_run_says_that_it_was_not_its_owner_who_stopped_it(make_run, worker, bob):
    running, queued, own = make_run(), make_run(), make_run()
    running.claim(worker, NOW)
    for run in (running, queued):
        run.ask_stop(later(1), bob)
    own.ask_stop(later(1), own.owner)
    assert running.stop_asked()
    assert running.stopped_by_other
    assert queued.error == "Stopped by somebody who may interview before it started."
    assert (own.error, own.stopped_by_other) == ("Stopped before it started.", False)


def test_stopping_a_finished_run_changes_nothing(claimed):
    run, claim = claimed
    run.finish(claim, Status.COMPLETED, later(1), report=None)
    run.ask_stop(later(2))
    assert (run.status, run.stop_asked_at) == (Status.COMPLETED, None)


def test_a_run_whose_worker_lives_is_left_alone(claimed):
    run, claim = claimed
    run.renew(claim, later(5), 5)
    assert Run.objects.interrupt_dead(later(14)) == 0


def test_a_run_whose_worker_died_ends_with_what_it_had(claimed):
    run, claim = claimed
    run.append(claim, batch(phase("sent", 1_000), token("Hello", 251_000)))
    run.append(claim, batch(token(" world", 281_000)))
    assert Run.objects.interrupt_dead(later(11)) == 1
    assert Run.objects.interrupt_dead(later(11)) == 0
    run.refresh_from_db()
    assert run.status == Status.INTERRUPTED
    assert "worker died" in run.error
    request = run.report["requests"][0]
    assert (request["ttft_ms"], request["itl_ms"]) == (250.0, [30.0])
    assert request["text"] == "Hello world"
    assert (request["tpot_ms"], request["tokens"]) == (30.0, 2)


def test_a_worker_given_up_for_dead_cannot_write_any_more(claimed):
    run, claim = claimed
    Run.objects.interrupt_dead(later(11))
    with pytest.raises(ClaimLost):
        run.append(claim, "[]")


def test_a_run_that_died_before_its_request_has_no_report(claimed):
    run, _ = claimed
    Run.objects.interrupt_dead(later(11))
    run.refresh_from_db()
    assert run.report is None


@pytest.mark.parametrize(
    ("setting", "cap", "spec", "word"),
    [
        ("LAB_MAX_TOKENS", 64, {"max_tokens": 65}, "64 tokens at most"),
        ("LAB_MAX_PROMPT_TOKENS", 99, {"prompt_tokens": 100}, "allows 99"),
        ("LAB_MAX_PROMPT_TOKENS", 99, {"prompt": "x" * 301}, "about 101 tokens"),
        ("LAB_MAX_USERS", 4, {"levels": [5]}, "4 users at once"),
    ],
)
def test_a_run_above_a_cap_is_refused_with_a_sentence(
    make_run, settings, setting, cap, spec, word
):
    setattr(settings, setting, cap)
    with pytest.raises(OverCap, match=word):
        make_run(**spec)
    assert not Run.objects.exists()


@pytest.mark.parametrize("spec", [{"prompt": ""}, {"max_tokens": 0}, {"levels": [0]}])
def test_a_run_of_nothing_is_refused(make_run, spec):
    with pytest.raises(OverCap):
        make_run(**spec)


def test_a_person_has_a_bounded_queue(make_run, settings, bob, worker):
    settings.LAB_MAX_QUEUED_PER_PERSON = 2
    first = make_run()
    make_run()
    with pytest.raises(OverCap, match="2 runs waiting; this lab allows 2"):
        make_run()
    make_run(owner=bob)
    first.claim(worker, NOW)
    make_run()


def test_without_an_endpoint_nothing_is_queued(make_run, settings):
    settings.LAB_URL = ""
    with pytest.raises(LabError, match="No endpoint"):
        make_run()


@pytest.mark.parametrize(
    ("setting", "value"),
    [("LAB_URL", "http://elsewhere:8000"), ("LAB_MODEL", "another-model")],
)
def test_runs_of_a_former_endpoint_or_model_are_cancelled(
    make_run, settings, setting, value
):
    from interview.lab.endpoint import Endpoint

    old = make_run()
    setattr(settings, setting, value)
    new = make_run()
    Run.objects.drop_foreign(Endpoint.current(), NOW)
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.status, new.status) == (Status.CANCELLED, Status.QUEUED)


def test_again_asks_the_same_without_predictions(make_run, alice):
    run = make_run(prompt="Why?", predictions={"ttft_ms": 250.0})
    again = run.again(alice, later(1))
    assert again.spec == run.spec
    assert not again.predictions.exists()


def test_old_events_and_texts_are_forgotten_but_no_number(claimed, settings):
    settings.LAB_KEEP_DAYS = 2
    run, claim = claimed
    run.append(claim, batch(token("secret", 1)))
    run.finish(claim, Status.COMPLETED, later(1), report=REPORT)
    tidy(later(86_400))
    assert run.batches.count() == 1
    tidy(later(3 * 86_400))
    run.refresh_from_db()
    assert not run.batches.exists()
    assert run.report["requests"][0]["text"] is None
    assert run.report["requests"][0]["ttft_ms"] == 257.0


def test_the_operators_extra_body_is_kept_with_the_run(make_run, settings):
    settings.LAB_EXTRA_BODY = '{"top_k": 1}'
    assert make_run().spec["extra_body"] == {"top_k": 1}
