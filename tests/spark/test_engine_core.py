"""Steps in flight and the front end, on a virtual clock."""

import pytest

from interview.spark.blocks import BlockPool
from interview.spark.core import EngineCore
from interview.spark.frontend import INWARD_S, OUTWARD_S, TOKENIZE_S, FrontEnd
from interview.spark.scheduler import Limits, Scheduler
from tests.spark.simulation import make_request

STEP_S = 0.1


class EvenSteps:
    """A machine whose every step takes the same time."""

    def step_seconds(self, chunks):
        return STEP_S


def make_core(depth=2, **limits):
    return EngineCore(Scheduler(Limits(**limits), BlockPool(1000)), EvenSteps(), depth)


def run_until(core, until):
    outputs = []
    while (at := core.next_at()) is not None and at <= until:
        outputs += core.run()
    return outputs


def times(outputs, name):
    return [output.at for output in outputs if output.request.id == name]


def test_a_lone_request_gets_a_token_every_step():
    core = make_core()
    core.add(make_request("a", 16, 4), 0.0)
    outputs = run_until(core, 10)
    assert times(outputs, "a") == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert core.next_at() is None


def test_a_prompt_that_comes_in_mid_step_waits_for_the_step_after_the_next():
    core = make_core()
    core.add(make_request("a", 16, 50), 0.0)
    outputs = run_until(core, 0.25)
    core.add(make_request("b", 16, 50), 0.25)
    outputs += run_until(core, 1.0)
    # Steps to 0.3 and 0.4 were in flight; its own is scheduled at 0.3 and ends at 0.5.
    assert times(outputs, "b")[0] == pytest.approx(0.5)


def test_an_answer_to_a_finished_request_needs_three_steps():
    core = make_core()
    core.add(make_request("a", 16, 3), 0.0)
    core.add(make_request("b", 16, 50), 0.0)
    outputs = run_until(core, 0.3)
    ended = times(outputs, "a")[-1]
    core.add(make_request("c", 16, 50), ended + 0.007)
    outputs += run_until(core, 1.0)
    assert times(outputs, "c")[0] - ended == pytest.approx(3 * STEP_S)


def test_with_one_step_in_flight_it_needs_two():
    core = make_core(depth=1)
    core.add(make_request("a", 16, 3), 0.0)
    core.add(make_request("b", 16, 50), 0.0)
    outputs = run_until(core, 0.32)
    ended = times(outputs, "a")[-1]
    core.add(make_request("c", 16, 50), ended + 0.007)
    outputs += run_until(core, 1.0)
    assert times(outputs, "c")[0] - ended == pytest.approx(2 * STEP_S, abs=0.01)


def test_a_split_prompt_needs_one_step_more():
    core = make_core(token_budget=64)
    core.add(make_request("a", 16, 3), 0.0)
    core.add(make_request("b", 16, 50), 0.0)
    outputs = run_until(core, 0.3)
    ended = times(outputs, "a")[-1]
    core.add(make_request("c", 64, 50), ended + 0.007)
    outputs += run_until(core, 1.0)
    assert times(outputs, "c")[0] - ended == pytest.approx(4 * STEP_S)


def test_the_step_after_a_stop_runs_for_nothing():
    core = make_core()
    core.add(make_request("a", 16, 50, ends_after=1), 0.0)
    outputs = run_until(core, 10)
    assert times(outputs, "a") == pytest.approx([0.1, 0.2])
    assert core.scheduler.tally.wasted_steps == 1
    assert core.steps == 3


def test_an_idle_machine_starts_at_once():
    core = make_core()
    core.add(make_request("a", 16, 1), 0.0)
    run_until(core, 10)
    core.add(make_request("b", 16, 1), 20.0)
    assert times(run_until(core, 30), "b") == pytest.approx([20.1])


def test_requests_pass_the_tokenizer_one_after_another():
    front = FrontEnd(make_core())
    requests = [make_request(str(i), 16, 1) for i in range(3)]
    for request in requests:
        front.submit(request, 1.0)
    while (at := front.next_at()) is not None:
        front.advance(at)
    queued = [request.queued_at for request in requests]
    first = 1.0 + INWARD_S
    assert queued == pytest.approx([first, first + TOKENIZE_S, first + 2 * TOKENIZE_S])


def test_ttft_of_an_idle_machine_is_one_step_and_the_front_end():
    front = FrontEnd(make_core())
    front.submit(make_request("a", 16, 1), 0.0)
    outputs = []
    while (at := front.next_at()) is not None:
        outputs += front.advance(at)
    assert outputs[0].at == pytest.approx(INWARD_S + STEP_S + OUTWARD_S)


def test_a_late_look_finds_the_same_times():
    exact, late = FrontEnd(make_core()), FrontEnd(make_core())
    for front in (exact, late):
        front.submit(make_request("a", 16, 6), 0.0)
        front.submit(make_request("b", 3000, 3), 0.13)
    found = []
    while (at := exact.next_at()) is not None:
        found += exact.advance(at)
    assert [(o.request.id, o.at) for o in late.advance(60.0)] == [
        (o.request.id, o.at) for o in found
    ]


@pytest.mark.parametrize("moment", [0.001, 0.05, 0.15])
def test_an_aborted_request_is_gone_wherever_it_was(moment):
    front = FrontEnd(make_core())
    request = make_request("a", 16, 50)
    front.submit(request, 0.0)
    front.advance(moment)
    assert front.abort(request)
    while (at := front.next_at()) is not None:
        assert front.advance(at) == []
    assert not front.core.scheduler.busy
    assert not front.abort(request)
