"""The scheduler's rules, one by one [V:SCH-1] to [V:SCH-23]."""

import pytest

from interview.spark.request import FinishReason
from tests.spark.simulation import (
    make_request,
    make_scheduler,
    queue,
    run_out,
    step,
    tokens_of,
)


def test_one_budget_bounds_the_tokens_of_a_step():
    scheduler = make_scheduler(token_budget=100)
    queue(scheduler, *(make_request(str(i), 30) for i in range(5)))
    assert step(scheduler) == {"0": 30, "1": 30, "2": 30, "3": 10}


def test_running_requests_come_first_and_prompts_get_what_is_left():
    scheduler = make_scheduler(token_budget=64)
    queue(scheduler, make_request("a", 32), make_request("b", 32))
    step(scheduler)
    queue(scheduler, make_request("c", 100))
    assert step(scheduler) == {"a": 1, "b": 1, "c": 62}


def test_a_prompt_in_the_middle_takes_its_chunk_in_list_order():
    scheduler = make_scheduler(token_budget=64)
    queue(scheduler, make_request("long", 120), make_request("short", 8))
    assert step(scheduler) == {"long": 64}
    shares = scheduler.schedule(0.0)
    assert list(tokens_of(shares)) == ["long", "short"]
    assert tokens_of(shares) == {"long": 56, "short": 8}


def test_a_long_prompt_is_cut_and_samples_only_at_its_end():
    scheduler = make_scheduler(token_budget=64)
    (request,) = queue(scheduler, make_request("a", 150, max_tokens=1))
    samples = []
    while scheduler.busy:
        (share,) = scheduler.schedule(0.0)
        samples.append((share.chunk.context, share.chunk.tokens, share.chunk.samples))
        scheduler.update([share], 0.0)
    assert samples == [(0, 64, False), (64, 64, False), (128, 22, True)]
    assert len(request.output) == 1


def test_a_prompt_that_is_split_takes_one_more_step():
    fits = make_scheduler(token_budget=200)
    queue(fits, make_request("a", 100, 1), make_request("b", 100, 1))
    split = make_scheduler(token_budget=199)
    queue(split, make_request("a", 100, 1), make_request("b", 100, 1))
    assert len(run_out(split)) == len(run_out(fits)) + 1


def test_waiting_requests_are_served_first_come_first():
    scheduler = make_scheduler(sequences=2)
    queue(scheduler, *(make_request(name, 16, 2) for name in "abc"))
    assert list(step(scheduler)) == ["a", "b"]
    assert list(step(scheduler)) == ["a", "b"]
    assert list(step(scheduler)) == ["c"]


def test_a_head_that_does_not_fit_blocks_those_behind_it():
    scheduler = make_scheduler(blocks=4)
    queue(scheduler, make_request("running", 16, 40))
    step(scheduler)
    queue(scheduler, make_request("big", 64), make_request("small", 8))
    assert step(scheduler) == {"running": 1}


def test_the_whole_prompt_must_fit_before_its_first_chunk_runs():
    scheduler = make_scheduler(blocks=4, token_budget=16)
    queue(scheduler, make_request("running", 16, 40))
    step(scheduler)
    queue(scheduler, make_request("waits", 49))
    step(scheduler)
    assert [request.id for request in scheduler.waiting] == ["waits"]


def test_the_last_admitted_request_is_preempted_and_waits_first_in_line():
    scheduler = make_scheduler(blocks=4, prefix_cache=False)
    _, second = queue(scheduler, make_request("a", 30, 40), make_request("b", 30, 40))
    queue(scheduler, make_request("c", 30, 4))
    for _ in range(2):
        step(scheduler)
    assert scheduler.tally.preemptions == 0
    while not second.preemptions:
        step(scheduler)
    assert [request.id for request in scheduler.running] == ["a"]
    assert [request.id for request in scheduler.waiting] == ["b", "c"]
    assert second.computed == 0
    assert second.blocks == []


def test_no_prompt_is_admitted_in_a_step_that_preempts():
    scheduler = make_scheduler(blocks=4, prefix_cache=False)
    _, second = queue(scheduler, make_request("a", 30, 40), make_request("b", 30, 40))
    queue(scheduler, make_request("small", 1, 4))
    while not second.preemptions:
        shares = step(scheduler)
    assert shares == {"a": 1}


def test_a_preempted_request_keeps_its_words_and_recomputes_them():
    scheduler = make_scheduler(blocks=4, prefix_cache=False)
    first, second = queue(
        scheduler, make_request("a", 30, 10), make_request("b", 30, 10)
    )
    while not second.preemptions:
        step(scheduler)
    said = list(second.output)
    assert said
    while "b" not in (shares := step(scheduler)):
        pass
    assert shares["b"] == 30 + len(said)
    run_out(scheduler)
    assert second.output[: len(said)] == said
    assert len(second.output) == len(first.output) == 10


def test_a_request_that_alone_is_too_big_preempts_itself():
    scheduler = make_scheduler(blocks=2, prefix_cache=False)
    (request,) = queue(scheduler, make_request("a", 30, 20))
    for _ in range(4):
        step(scheduler)
    assert request.preemptions == 1


def test_blocks_come_back_when_requests_end():
    scheduler = make_scheduler(blocks=50)
    queue(scheduler, *(make_request(str(i), 40, 30) for i in range(20)))
    run_out(scheduler)
    assert scheduler.pool.usage == 0
    assert scheduler.pool.free == 50


def test_an_aborted_request_leaves_at_once():
    scheduler = make_scheduler()
    running, waiting = queue(scheduler, make_request("a"), make_request("b", 3000))
    step(scheduler)
    assert scheduler.abort(running)
    assert scheduler.abort(waiting)
    assert not scheduler.busy
    assert scheduler.pool.usage == 0
    assert not scheduler.abort(running)
    assert running.finish_reason is FinishReason.ABORT


@pytest.mark.parametrize(
    ("ends_after", "reason", "tokens"),
    [(None, FinishReason.LENGTH, 8), (3, FinishReason.STOP, 4)],
)
def test_an_output_ends_at_its_length_or_its_end_token(ends_after, reason, tokens):
    scheduler = make_scheduler()
    (request,) = queue(scheduler, make_request("a", ends_after=ends_after))
    run_out(scheduler)
    assert request.finish_reason is reason
    assert len(request.output) == tokens


# Two steps in flight: a step is scheduled before the last one's result is known.


def test_a_decode_is_scheduled_before_its_last_token_is_known():
    scheduler = make_scheduler()
    (request,) = queue(scheduler, make_request("a", 16))
    prefill = scheduler.schedule(0.0)
    decode = scheduler.schedule(0.0)
    assert tokens_of(decode) == {"a": 1}
    assert request.placeholders == 2
    scheduler.update(prefill, 0.0)
    assert request.placeholders == 1
    assert request.output == [1000]


def test_a_request_that_stopped_wastes_the_step_that_follows():
    scheduler = make_scheduler()
    (request,) = queue(scheduler, make_request("a", 16, ends_after=0))
    first, second = scheduler.schedule(0.0), scheduler.schedule(0.0)
    (output,) = scheduler.update(first, 0.0)
    assert output.finish_reason is FinishReason.STOP
    assert scheduler.update(second, 0.0) == []
    assert scheduler.tally.wasted_steps == 1
    assert len(request.output) == 1


def test_no_step_is_wasted_on_a_length_that_is_known_beforehand():
    scheduler = make_scheduler()
    queue(scheduler, make_request("a", 16, max_tokens=2))
    first, second = scheduler.schedule(0.0), scheduler.schedule(0.0)
    scheduler.update(first, 0.0)
    assert scheduler.schedule(0.0) == []
    scheduler.update(second, 0.0)
    assert not scheduler.busy
    assert scheduler.tally.wasted_steps == 0


def test_a_token_in_flight_survives_a_preemption():
    scheduler = make_scheduler(blocks=4, prefix_cache=False)
    _, second = queue(scheduler, make_request("a", 30, 12), make_request("b", 30, 12))
    flight = [scheduler.schedule(0.0), scheduler.schedule(0.0)]
    while not second.preemptions:
        scheduler.update(flight.pop(0), 0.0)
        flight.append(scheduler.schedule(0.0))
    before = len(second.output)
    scheduler.update(flight.pop(0), 0.0)
    assert len(second.output) == before + 1
    assert second.placeholders == 0
    while scheduler.busy:
        flight.append(scheduler.schedule(0.0))
        scheduler.update(flight.pop(0), 0.0)
    assert second.output == [1000 + i for i in range(12)]
