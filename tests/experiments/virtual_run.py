"""A run of an experiment on the virtual clock, and what it says of the claims.

Plan, results, summaries, report, figures and verdicts are those of the product.
"""

from dataclasses import dataclass, field

from interview.lab.experiments.verdict import verdicts
from interview.lab.results.figures import figures_of
from interview.measure.fields import plan_of
from interview.measure.gathering_report import gathering_report
from interview.measure.level import level_summary
from interview.measure.measured import Measured
from interview.measure.report import report
from interview.measure.target import target
from interview.spark.machine import Options
from tests.experiments.asked import asked_of, fields_of
from tests.experiments.closed_loop import ClosedLoop
from tests.experiments.virtual_gathering import VirtualGathering
from tests.experiments.virtual_spark import VirtualSpark

ENGINE = "vllm 0.31.0"


@dataclass(slots=True)
class VirtualRun:
    """The server's options, and what may go wrong in each load."""

    options: Options = field(default_factory=Options)
    failing: int = 0
    """So many requests meet a server that answers HTTP 500."""
    strangers: int = 0
    """Requests of other people."""
    ends_after: int | None = None
    """Tokens after which the model ends an answer."""
    slower: float = 1.0
    """How many times slower the machine gets half-way."""
    people: int = 5
    """Of a room, who each press once, `pause` seconds after another."""
    pause: float = 18.0
    lasted: float = field(init=False, default=0.0)
    """Seconds of the virtual clock that the last report took."""

    def verdicts(self, experiment):
        """By the claims' ids."""
        figures = figures_of(self.report(experiment), asked_of(experiment))
        return {one.claim.id: one for one in verdicts(experiment, figures)}

    def report(self, experiment):
        spark = VirtualSpark(self.options, self.ends_after)
        plan = plan_of(fields_of(experiment))
        if plan.gathers:
            return self._gathered(plan.loads[0], spark)
        measured = [self._measured(one, spark) for one in plan.repetitions()]
        self.lasted = spark.now
        return report(target("http://spark", "a-model"), ENGINE, plan, measured, 0)

    def _gathered(self, load, spark):
        for _ in range(self.strangers):
            spark.send(spark.fresh_prompt(64), 8)
        presses = [1 + self.pause * person for person in range(self.people)]
        end, notes = presses[-1] + self.pause, ["other-traffic"] * bool(self.strangers)
        gathering = VirtualGathering(
            load, spark, presses, end, failing=self.failing, notes=notes
        )
        measured = gathering.run()
        self.lasted = spark.now
        return gathering_report(target("http://spark", "a-model"), ENGINE, measured, 0)

    def _measured(self, repetition, spark):
        load = repetition.load
        warmups = ClosedLoop(load, spark, load.warmup).run().results
        before = spark.sent
        for _ in range(self.strangers):
            spark.send(spark.fresh_prompt(64), 8)
        loop = ClosedLoop(
            load, spark, load.requests, failing=self.failing, slower=self.slower
        )
        level = loop.run()
        if self.slower != 1:
            spark.slow_down(1 / self.slower)
        alone = spark.sent - before == loop.sent
        notes = [] if alone else ["other-traffic"]
        return Measured(
            repetition, level, level_summary(load, level, (), notes), warmups
        )
