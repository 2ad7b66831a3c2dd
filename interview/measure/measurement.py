"""One measurement from first contact to report; both ways in share it.

Prints nothing and reads no arguments; who follows it is a Watch.
"""

import asyncio
import random
from typing import Any

from interview.measure.bench import Bench
from interview.measure.client import Clock, client
from interview.measure.endpoint import Endpoint, look, with_model
from interview.measure.exchange import Exchange
from interview.measure.gathering_bench import gather
from interview.measure.gathering_joins import Joins
from interview.measure.gathering_report import gathering_report
from interview.measure.measured import Measured
from interview.measure.prompt import salts
from interview.measure.report import report
from interview.measure.target import Target
from interview.measure.tasks import unless
from interview.measure.watch import Watch
from interview.measure.workload import Plan


async def measure(
    target: Target,
    plan: Plan,
    watch: Watch,
    stop: asyncio.Event,
    *,
    clock: Clock,
    origin_ns: int,
    chance: random.Random,
    texts: bool = True,
    joins: Joins | None = None,
) -> dict[str, Any]:
    """The report, also when `stop` ends it early: it has what was measured until then.

    `origin_ns`, a stamp of `clock`, is what the report's `sent_ms` count from;
    `chance` makes the salts of fresh prompts; without `texts` only stream 0 keeps its
    answer; `joins` says who joins a gathering. Raises EndpointError when the endpoint
    cannot be reached, or refuses the first warm-up.
    """
    watch.stage("preparing")
    timeout_s = plan.loads[0].timeout_s
    async with client(clock, timeout_s) as http, client(clock, timeout_s) as side:
        endpoint = await unless(stop, look(http, target))
        if endpoint is None:
            endpoint = Endpoint()
        else:
            target = with_model(target, endpoint)
            watch.hello(endpoint, target)
        exchange = Exchange(http, target, clock, endpoint.models)
        bench = Bench(
            *(http, side, target, endpoint, exchange),
            *(salts(chance), watch, stop, clock),
        )
        if plan.gathers:
            gathered = await gather(bench, plan.loads[0], joins or Joins())
            return gathering_report(target, endpoint.engine, gathered, origin_ns)
        measured = await _measured(bench, plan, stop)
    return report(target, endpoint.engine, plan, measured, origin_ns, texts=texts)


async def _measured(bench: Bench, plan: Plan, stop: asyncio.Event) -> list[Measured]:
    """Repetition after repetition; one that a stop left empty is not among them."""
    measured: list[Measured] = []
    for repetition in plan.repetitions():
        if plan.is_series and stop.is_set():
            break
        one = await bench.measure(repetition, measured)
        if one.level.results or not plan.is_series:
            measured.append(one)
    return measured
